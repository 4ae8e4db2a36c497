// trawl snapshot, trawl jobs: what was published, and every job that ever ran. Read only.
#include <algorithm>

#include "formats/sealed_json.h"
#include "jobs/crawl.h"
#include "jobs/list_options.h"
#include "jobs/row_json.h"
#include "runtime/layout.h"
#include "runtime/output.h"
#include "runtime/status_detail.h"
#include "runtime/store_status.h"
#include "runtime/timestamp.h"
#include "runtime/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kMaxDocumentBytes = int64_t{256} << 20;

// -- snapshots --------------------------------------------------------------------------------------------------------------

Json BriefOf(const Manifest& manifest) {
  Json tables = Json::object();
  for (const auto& [table, runs] : manifest.tables) {
    int64_t rows = 0;
    for (const RunReference& run : runs) rows += run.rows;
    tables[table] = {{"runs", runs.size()}, {"stored_rows", rows}};
  }
  return {{"snapshot", manifest.number}, {"verb", manifest.verb}, {"job", manifest.job},
          {"published", TimeJson(manifest.published_ms)}, {"tables", tables},
          {"open_segments", manifest.open_segments.size()}};
}

std::string LineOf(const Manifest& manifest) {
  std::string line = std::to_string(manifest.number) + "  " + FormatTimestamp(manifest.published_ms) + "  " +
                     (manifest.verb.empty() ? "(created)" : manifest.verb);
  for (const auto& [table, runs] : manifest.tables) line += "  " + table + ": " + std::to_string(runs.size()) + " runs";
  return line + "\n";
}

Result<int> RunSnapshotList(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const ListOptions options, context.Read(ListOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const auto history, ReadHistory(crawl->store(), options.limit));
  for (const Snapshot& snapshot : history) {
    ARROW_RETURN_NOT_OK(context.Answer(BriefOf(snapshot.manifest), LineOf(snapshot.manifest)));
  }
  return kExitDone;
}

Result<int> RunSnapshotShow(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  const std::string& argument = context.arguments.front();
  const bool is_number = !argument.empty() && argument.size() < 18 &&
                         std::all_of(argument.begin(), argument.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!is_number) return UsageError("'", argument, "' is no snapshot's number; trawl snapshot list shows them");
  ARROW_ASSIGN_OR_RAISE(const Snapshot snapshot, ReadSnapshot(crawl->store(), std::stoll(argument)));
  const Json json = ToJson(snapshot.manifest);
  ARROW_RETURN_NOT_OK(context.Answer(json, DumpJsonPretty(json) + "\n"));
  return kExitDone;
}

// -- jobs -------------------------------------------------------------------------------------------------------------------

// The document of a job, or nothing where it has none (yet).
Result<Json> ReadDocument(Store* store, const std::string& path) {
  const Result<std::string> text = store->ReadWhole(path, kMaxDocumentBytes);
  if (!text.ok() && IsNotFound(text.status())) return Json();
  ARROW_RETURN_NOT_OK(text.status());
  return OpenSealedJson(*text, path);
}

Result<Json> JobJson(Store* store, const std::string& job) {
  ARROW_ASSIGN_OR_RAISE(const Json plan, ReadDocument(store, PlanPath(job)));
  ARROW_ASSIGN_OR_RAISE(const Json report, ReadDocument(store, ReportPath(job)));
  Json json = {{"job", job}, {"state", report.is_null() ? "unfinished" : "done"}};
  for (const char* name : {"verb", "snapshot", "now_ms"}) {
    if (HasMember(plan, name)) json[name] = plan[name];
  }
  for (const char* name : {"verb", "now_ms", "changed", "snapshot", "seconds", "counters"}) {
    if (HasMember(report, name)) json[name] = report[name];
  }
  return json;
}

std::string JobText(const Json& job) {
  std::string line = job["job"].get<std::string>() + "  " + job["state"].get<std::string>();
  if (HasMember(job, "seconds")) {
    line += "  " + ReadableDuration(static_cast<int64_t>(job["seconds"].get<double>() * 1000));
    line += job["changed"].get<bool>() ? "  snapshot " + DumpJson(job["snapshot"]) : "  changed nothing";
    for (const auto& [name, count] : job["counters"].items()) line += "  " + name + " " + DumpJson(count);
  }
  return line + "\n";
}

Result<int> RunJobs(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const ListOptions options, context.Read(ListOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const auto entries, crawl->store()->List(kJobsFolder, /*recursive=*/false));
  std::vector<std::string> jobs;
  for (const StoreEntry& entry : entries) {
    const std::string job = entry.path.substr(entry.path.rfind('/') + 1);
    if (entry.is_folder && IsValidId(job)) jobs.push_back(job);
  }
  std::sort(jobs.begin(), jobs.end());  // ids begin with their time
  const auto limit = static_cast<size_t>(options.limit);
  if (limit > 0 && jobs.size() > limit) jobs.erase(jobs.begin(), jobs.end() - static_cast<std::ptrdiff_t>(limit));
  for (const std::string& job : jobs) {
    ARROW_ASSIGN_OR_RAISE(const Json json, JobJson(crawl->store(), job));
    ARROW_RETURN_NOT_OK(context.Answer(json, JobText(json)));
  }
  return kExitDone;
}

}  // namespace

std::vector<Verb> HistoryVerbs() {
  return {{.name = "snapshot list",
           .summary = "the snapshots of the crawl, oldest first",
           .description = "Also checks that each follows the one before.",
           .examples = {{"The newest twenty", "trawl snapshot list"}, {"All", "trawl snapshot list --limit 0"}},
           .groups = {&ListOptionGroup()},
           .run = RunSnapshotList},
          {.name = "snapshot show",
           .summary = "the manifest of a snapshot",
           .arguments = "N",
           .least_arguments = 1,
           .most_arguments = 1,
           .description = "Its runs, open segments and settings, and the job that published it.",
           .examples = {{"Snapshot 42", "trawl snapshot show 42"}, {"The constants of the crawl", "trawl snapshot show 0"}},
           .run = RunSnapshotShow},
          {.name = "jobs",
           .summary = "the jobs that ran on the crawl, oldest first",
           .description = "A job without a report is under way or was killed; the same command does it again.",
           .examples = {{"The newest twenty", "trawl jobs"}, {"All, for a program", "trawl jobs --limit 0 --json"}},
           .groups = {&ListOptionGroup()},
           .run = RunJobs}};
}

}  // namespace trawl
