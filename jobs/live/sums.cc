// LiveSums: the counters of parts, added up.
#include <algorithm>
#include <set>
#include <string_view>

#include "formats/rows/guessed_sitemap.h"
#include "jobs/live/live.h"

namespace trawl {

namespace {

// A document may name anything; these are far more than there are.
constexpr size_t kMostNames = 1'000;

int64_t CounterOf(const Json& counters, const char* name) {
  const arrow::Result<int64_t> count = GetInt(counters, name);
  return count.ok() ? std::max<int64_t>(*count, 0) : 0;
}

void AddNamed(const std::map<std::string, int64_t>& from, std::map<std::string, int64_t>* to) {
  for (const auto& [name, count] : from) {
    if (to->size() < kMostNames || to->contains(name)) (*to)[name] += count;
  }
}

// Outcomes of URLs for which no request was sent, as FetchStats decides it.
bool WasAsked(const std::string& outcome) {
  static const std::set<std::string, std::less<>> never = {"robots_denied",
                                                           "robots_deferred",
                                                           "address_refused",
                                                           "scheme_refused",
                                                           "breaker_open",
                                                           "not_reached",
                                                           std::string(kNoSitemapOutcome)};
  return !never.contains(outcome);
}

bool IsSuccess(const std::string& outcome) {
  return outcome == "fetched" || outcome == "not_modified" || outcome == "redirect";
}

}  // namespace

LiveSums LiveSums::FromCounters(const Json& counters) {
  constexpr std::string_view kOutcome = "outcome.", kStatus = "status.";
  LiveSums sums;
  if (!counters.is_object()) return sums;
  sums.pages = CounterOf(counters, "pages");
  sums.bytes = CounterOf(counters, "bytes");
  sums.wire_bytes = CounterOf(counters, "wire_bytes");
  sums.fetched = CounterOf(counters, "fetched");
  sums.duplicates = CounterOf(counters, "bodies_shared");
  sums.answers.AddCounters(counters);
  for (const auto& [name, value] : counters.items()) {
    if (!value.is_number_integer() || value.get<int64_t>() <= 0) continue;
    const auto count = value.get<int64_t>();
    if (name.starts_with(kOutcome) && sums.outcomes.size() < kMostNames) {
      const std::string outcome = name.substr(kOutcome.size());
      sums.outcomes[outcome] = count;
      if (WasAsked(outcome)) sums.asked += count;
      if (IsSuccess(outcome)) sums.succeeded += count;
    } else if (name.starts_with(kStatus) && sums.statuses.size() < kMostNames) {
      sums.statuses[name.substr(kStatus.size())] = count;
    }
  }
  return sums;
}

void LiveSums::Add(const LiveSums& other) {
  pages += other.pages;
  bytes += other.bytes;
  wire_bytes += other.wire_bytes;
  fetched += other.fetched;
  asked += other.asked;
  succeeded += other.succeeded;
  duplicates += other.duplicates;
  AddNamed(other.outcomes, &outcomes);
  AddNamed(other.statuses, &statuses);
  answers.Add(other.answers);
}

}  // namespace trawl
