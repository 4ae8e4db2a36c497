#include "runtime/root/layout.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <vector>

#include "formats/documents/step_record.h"

namespace trawl {

namespace {

constexpr char kRunRecordName[] = "_run.json";
constexpr char kDatasetRecordName[] = "_done.json";
constexpr char kAttemptsFolder[] = "_attempts";
constexpr char kPlanName[] = "plan.json";
constexpr char kReportName[] = "report.json";
constexpr char kRoundName[] = "round.json";
constexpr char kJobEndName[] = "ended.json";
constexpr char kJobLivePrefix[] = "_live-";
constexpr char kJobInputPrefix[] = "_input-";
constexpr char kJobFailurePrefix[] = "_failed-";
constexpr char kStreamingFolder[] = "_streaming";
constexpr char kBundlesFolder[] = "_bundles";

std::vector<std::string> Split(const std::string& path) {
  std::vector<std::string> parts;
  size_t begin = 0;
  while (true) {
    const size_t end = path.find('/', begin);
    parts.push_back(path.substr(begin, end - begin));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

// Returns the number between `prefix` and `suffix`; the three must be all of `text`.
std::optional<int64_t> NumberIn(const std::string& text, const std::string& prefix, const std::string& suffix) {
  if (text.size() <= prefix.size() + suffix.size() || !text.starts_with(prefix) || !text.ends_with(suffix)) return {};
  const char* begin = text.data() + prefix.size();
  const char* end = text.data() + text.size() - suffix.size();
  int64_t number = 0;
  const auto [at, error] = std::from_chars(begin, end, number);
  if (error != std::errc() || at != end || *begin == '-' || number < 0) return {};
  return number;
}

}  // namespace

bool IsValidId(const std::string& id) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
           c == '_';
  };
  return !id.empty() && id.size() <= 100 && id[0] != '_' && id[0] != '.' && std::all_of(id.begin(), id.end(), allowed);
}

std::string SnapshotPath(int64_t number) {
  char name[32];
  std::snprintf(name, sizeof name, "%08lld.json", static_cast<long long>(number));
  return std::string(kSnapshotsFolder) + "/" + name;
}

std::string RunFolder(const std::string& table, const std::string& run) {
  return std::string(kTablesFolder) + "/" + table + "/" + run;
}
std::string RunFilePath(const std::string& table, const std::string& run, const std::string& name) {
  return RunFolder(table, run) + "/" + name;
}
std::string RunRecordPath(const std::string& table, const std::string& run) {
  return RunFilePath(table, run, kRunRecordName);
}

std::string SegmentFolder(const std::string& segment) { return std::string(kSegmentsFolder) + "/" + segment; }
std::string DatasetFolder(const std::string& segment, const std::string& dataset) {
  return SegmentFolder(segment) + "/" + dataset;
}
std::string DatasetFilePath(const std::string& segment, const std::string& dataset, const std::string& name) {
  return DatasetFolder(segment, dataset) + "/" + name;
}
std::string DatasetRecordPath(const std::string& segment, const std::string& dataset) {
  return DatasetFilePath(segment, dataset, kDatasetRecordName);
}
std::string ListsRecordPath(const std::string& segment, const std::string& job) {
  return DatasetFilePath(segment, kGenerateStep, "_" + job + ".json");
}
std::string AttemptFolder(const std::string& segment, int task) {
  return SegmentFolder(segment) + "/" + kAttemptsFolder + "/" + std::to_string(task);
}
std::string AttemptPath(const std::string& segment, int task, int64_t number) {
  return AttemptFolder(segment, task) + "/" + std::to_string(number) + ".json";
}

std::string JobFolder(const std::string& job) { return std::string(kJobsFolder) + "/" + job; }
std::string PlanPath(const std::string& job) { return JobFolder(job) + "/" + kPlanName; }
std::string ReportPath(const std::string& job) { return JobFolder(job) + "/" + kReportName; }
std::string RoundPath(const std::string& job) { return JobFolder(job) + "/" + kRoundName; }
std::string JobEndPath(const std::string& job) { return JobFolder(job) + "/" + kJobEndName; }
std::string JobLivePath(const std::string& job, int64_t number) {
  return JobFolder(job) + "/" + kJobLivePrefix + std::to_string(number) + ".json";
}
std::string JobInputPath(const std::string& job, int number) {
  return JobFolder(job) + "/" + kJobInputPrefix + std::to_string(number);
}
std::string JobFailurePath(const std::string& job, const std::string& task) {
  return JobFolder(job) + "/" + kJobFailurePrefix + task;
}
std::string StreamingFolder(const std::string& job) { return JobFolder(job) + "/" + kStreamingFolder; }
std::string StreamingPath(const std::string& job, const std::string& name) { return StreamingFolder(job) + "/" + name; }
std::string BundlePath(const std::string& digest) { return std::string(kBundlesFolder) + "/" + digest + ".tar.gz"; }

std::string PathOf(const Place& place) {
  switch (place.kind) {
    case PlaceKind::kSnapshot:
      return SnapshotPath(place.number);
    case PlaceKind::kRunFile:
      return RunFilePath(place.dataset, place.id, place.name);
    case PlaceKind::kRunRecord:
      return RunRecordPath(place.dataset, place.id);
    case PlaceKind::kDatasetFile:
      return DatasetFilePath(place.id, place.dataset, place.name);
    case PlaceKind::kDatasetRecord:
      return DatasetRecordPath(place.id, place.dataset);
    case PlaceKind::kListsRecord:
      return ListsRecordPath(place.id, place.job);
    case PlaceKind::kAttempt:
      return AttemptPath(place.id, place.task, place.number);
    case PlaceKind::kPlan:
      return PlanPath(place.id);
    case PlaceKind::kReport:
      return ReportPath(place.id);
    case PlaceKind::kRound:
      return RoundPath(place.id);
    case PlaceKind::kJobEnd:
      return JobEndPath(place.id);
    case PlaceKind::kJobLive:
      return JobLivePath(place.id, place.number);
    case PlaceKind::kJobInput:
      return JobInputPath(place.id, static_cast<int>(place.number));
    case PlaceKind::kJobFailure:
      return JobFailurePath(place.id, place.name);
    case PlaceKind::kStreaming:
      return StreamingPath(place.id, place.name);
  }
  return "";
}

namespace {

std::optional<Place> ParseParts(const std::vector<std::string>& parts) {
  const size_t depth = parts.size();
  Place place;
  if (depth == 2 && parts[0] == kSnapshotsFolder) {
    const auto number = NumberIn(parts[1], "", ".json");
    if (!number) return {};
    place.number = *number;
    return place;
  }
  if (depth == 4 && parts[0] == kTablesFolder) {
    place = {.kind = PlaceKind::kRunFile, .id = parts[2], .dataset = parts[1], .name = parts[3]};
    if (parts[3] == kRunRecordName) place = {.kind = PlaceKind::kRunRecord, .id = parts[2], .dataset = parts[1]};
    return place;
  }
  if (depth == 4 && parts[0] == kSegmentsFolder) {
    place = {.kind = PlaceKind::kDatasetFile, .id = parts[1], .dataset = parts[2], .name = parts[3]};
    if (parts[3] == kDatasetRecordName)
      place = {.kind = PlaceKind::kDatasetRecord, .id = parts[1], .dataset = parts[2]};
    const bool is_lists = parts[2] == kGenerateStep && parts[3].starts_with("_") && parts[3].ends_with(".json");
    if (is_lists && parts[3] != kDatasetRecordName) {
      place = {.kind = PlaceKind::kListsRecord, .id = parts[1], .job = parts[3].substr(1, parts[3].size() - 6)};
    }
    return place;
  }
  if (depth == 5 && parts[0] == kSegmentsFolder && parts[2] == kAttemptsFolder) {
    const auto task = NumberIn(parts[3], "", "");
    const auto number = NumberIn(parts[4], "", ".json");
    if (!task || !number) return {};
    return Place{.kind = PlaceKind::kAttempt, .number = *number, .id = parts[1], .task = static_cast<int>(*task)};
  }
  if (depth == 3 && parts[0] == kJobsFolder) {
    if (parts[2] == kPlanName) return Place{.kind = PlaceKind::kPlan, .id = parts[1]};
    if (parts[2] == kReportName) return Place{.kind = PlaceKind::kReport, .id = parts[1]};
    if (parts[2] == kRoundName) return Place{.kind = PlaceKind::kRound, .id = parts[1]};
    if (parts[2] == kJobEndName) return Place{.kind = PlaceKind::kJobEnd, .id = parts[1]};
    const auto live = NumberIn(parts[2], kJobLivePrefix, ".json");
    if (live) return Place{.kind = PlaceKind::kJobLive, .number = *live, .id = parts[1]};
    const auto number = NumberIn(parts[2], kJobInputPrefix, "");
    if (number) return Place{.kind = PlaceKind::kJobInput, .number = *number, .id = parts[1]};
    const std::string prefix = kJobFailurePrefix;
    if (parts[2].starts_with(prefix)) {
      return Place{.kind = PlaceKind::kJobFailure, .id = parts[1], .name = parts[2].substr(prefix.size())};
    }
  }
  if (depth >= 4 && parts[0] == kJobsFolder && parts[2] == kStreamingFolder) {
    std::string name = parts[3];
    for (size_t i = 4; i < depth; ++i) name += "/" + parts[i];
    return Place{.kind = PlaceKind::kStreaming, .id = parts[1], .name = std::move(name)};
  }
  return {};
}

}  // namespace

std::optional<Place> ParsePath(const std::string& path) {
  const std::optional<Place> place = ParseParts(Split(path));
  // A number in another spelling, or an invalid id, does not make a path of ours.
  if (!place || PathOf(*place) != path) return {};
  if (place->kind != PlaceKind::kSnapshot && !IsValidId(place->id)) return {};
  if (place->kind == PlaceKind::kListsRecord && !IsValidId(place->job)) return {};
  return place;
}

}  // namespace trawl
