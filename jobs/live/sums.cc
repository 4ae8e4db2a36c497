// LiveSums: the counters of parts, added up.
#include <algorithm>
#include <string_view>

#include "jobs/live/live.h"
#include "jobs/sums/asked.h"

namespace trawl {

namespace {

// A document may name anything; these are far more than there are.
constexpr size_t kMostNames = 1'000;

void AddNamed(const std::map<std::string, int64_t>& from, std::map<std::string, int64_t>* to) {
  for (const auto& [name, count] : from) {
    if (to->size() < kMostNames || to->contains(name)) (*to)[name] += count;
  }
}

}  // namespace

LiveSums LiveSums::FromCounters(const Json& counters) {
  constexpr std::string_view kOutcome = "outcome.", kStatus = "status.";
  LiveSums sums;
  if (!counters.is_object()) return sums;
  sums.pages = BoundedCounter(counters, "pages");
  sums.bytes = BoundedCounter(counters, "bytes");
  sums.wire_bytes = BoundedCounter(counters, "wire_bytes");
  sums.fetched = BoundedCounter(counters, "fetched");
  sums.duplicates = BoundedCounter(counters, "bodies_shared");
  sums.answers.AddCounters(counters);
  const AskedSums asked = AskedSums::FromCounters(counters);
  sums.asked = asked.asked;
  sums.succeeded = asked.succeeded;
  for (const auto& [name, value] : counters.items()) {
    if (!value.is_number_integer() || value.get<int64_t>() <= 0) continue;
    const int64_t count = std::min(value.get<int64_t>(), kMostOfCounter);
    if (name.starts_with(kOutcome) && sums.outcomes.size() < kMostNames) {
      sums.outcomes[name.substr(kOutcome.size())] = count;
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
