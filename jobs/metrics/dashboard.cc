#include "jobs/metrics/dashboard.h"

#include <algorithm>
#include <map>
#include <string>

#include "formats/rows/url_row.h"
#include "jobs/metrics/families.h"

namespace trawl {

namespace {

const Json& MemberOf(const Json& object, const char* name) {
  static const Json none;
  return object.is_object() && HasMember(object, name) ? object[name] : none;
}

double NumberOf(const Json& object, const char* name) {
  const Json& number = MemberOf(object, name);
  return number.is_number() ? number.get<double>() : 0;
}

// Numbers of several rounds, as one fetch would have them. A rate that a round states is weighted by what it is a rate of.
struct FetchSums {
  double pages = 0, bytes = 0, asked = 0, succeeded = 0, duplicates = 0, answers = 0, answer_ms = 0, seconds = 0;
  double ran = 0, could_run = 0;
  std::map<std::string, int64_t> errors;

  void Add(const Json& round);
};

bool IsError(const std::string& outcome) {
  return outcome != "fetched" && outcome != "not_modified" && outcome != "redirect" && outcome != "no_sitemap" &&
         outcome != "not_reached";
}

// What the average response time is an average of: sitemaps and probes, too, which no status is counted for.
double AnswersOf(const Json& fetch) {
  const Json& ranges = MemberOf(MemberOf(fetch, "response_ms"), "ranges");
  const Json& statuses = MemberOf(fetch, "statuses");
  double answers = 0;
  if (ranges.is_array()) {
    for (const Json& range : ranges) answers += NumberOf(range, "count");
  } else if (statuses.is_object()) {
    for (const auto& [status, count] : statuses.items()) answers += count.is_number() ? count.get<double>() : 0;
  }
  return answers;
}

void FetchSums::Add(const Json& round) {
  const Json& fetch = MemberOf(round, "fetch");
  const double of_pages = NumberOf(fetch, "pages"), of_asked = NumberOf(fetch, "fetched");
  pages += of_pages;
  bytes += NumberOf(fetch, "bytes");
  asked += of_asked;
  succeeded += of_asked * NumberOf(fetch, "success_rate");
  duplicates += of_pages * NumberOf(fetch, "duplicate_rate");
  const double of_answers = AnswersOf(fetch);
  answers += of_answers;
  answer_ms += of_answers * NumberOf(MemberOf(fetch, "response_ms"), "average");
  if (const double rate = NumberOf(fetch, "pages_per_second"); rate > 0) {
    seconds += of_pages / rate;
  } else {
    seconds += NumberOf(MemberOf(MemberOf(round, "steps"), "fetch"), "seconds");
  }
  if (const std::optional<double> share = UtilisationOf(round)) {
    const double weight = std::max(NumberOf(MemberOf(MemberOf(round, "steps"), "fetch"), "seconds"), 0.001);
    ran += *share * weight;
    could_run += weight;
  }
  const Json& outcomes = MemberOf(fetch, "outcomes");
  if (!outcomes.is_object()) return;
  for (const auto& [outcome, count] : outcomes.items()) {
    if (IsError(outcome) && count.is_number_integer()) errors[outcome] += count.get<int64_t>();
  }
}

Json Share(double part, double whole) { return whole > 0 ? Json(part / whole) : Json(); }

template <typename T>
Json OrNull(const std::optional<T>& number) {
  return number ? Json(*number) : Json();
}

Json StorageGb(const DashboardSource& source) {
  if (source.manifest == nullptr || !source.segment_bytes) return nullptr;
  int64_t bytes = *source.segment_bytes;
  for (const auto& [table, runs] : source.manifest->tables) {
    for (const RunReference& run : runs) bytes += run.bytes;
  }
  return static_cast<double>(bytes) / 1e9;
}

}  // namespace

Json DashboardNumbers(const DashboardSource& source) {
  FetchSums sums;
  for (const Json* round : source.rounds) {
    // A round that read stored bodies again asked for nothing.
    const bool is_fetch = GetString(*round, "kind").ValueOr("round") == "round";
    if (is_fetch) sums.Add(*round);
  }
  const bool has_rounds = sums.seconds > 0;
  int64_t active = 0;
  if (source.live != nullptr) {
    for (const LiveWorker& worker : source.live->workers) active += worker.state == WorkerState::kActive ? 1 : 0;
  }
  const bool is_running = active > 0 && source.live->rate.over_ms > 0;
  Json utilisation;
  if (const auto share = active > 0 ? UtilisationOf(*source.live) : std::nullopt) {
    utilisation = *share;
  } else if (sums.could_run > 0) {
    utilisation = sums.ran / sums.could_run;
  }
  const Totals* const totals =
      source.manifest != nullptr && source.manifest->totals ? &*source.manifest->totals : nullptr;
  Json errors = Json::object();
  for (const auto& [outcome, count] : sums.errors) errors[outcome] = count;
  const auto rate = [&](double live, double sum) {
    return is_running ? Json(live) : has_rounds ? Json(sum / sums.seconds) : Json(0.0);
  };
  return {{"pagesPerSecond", rate(is_running ? source.live->rate.pages_per_sec : 0, sums.pages)},
          {"bytesPerSecond", rate(is_running ? source.live->rate.bytes_per_sec : 0, sums.bytes)},
          {"frontierSize", totals != nullptr ? Json(totals->OfState(TextOf(UrlState::kUnfetched))) : Json()},
          {"uniqueDomainsInFrontier", OrNull(source.frontier_domains)},
          {"successRate", Share(sums.succeeded, sums.asked)},
          {"errorsByType", errors},
          {"averageResponseTime", Share(sums.answer_ms, sums.answers)},
          {"activeWorkers", source.live != nullptr ? Json(active) : Json(0)},
          {"workerUtilization", utilisation},
          {"totalPagesStored", totals != nullptr ? Json(totals->bodies) : Json()},
          {"storageUsedGB", StorageGb(source)},
          {"bloomFilterSize", OrNull(source.filter_bytes)},
          {"duplicateRate", Share(sums.duplicates, sums.pages)}};
}

}  // namespace trawl
