#include "jobs/sums/asked.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "jobs/sums/guessed_sitemap.h"

namespace trawl {

bool IsRequest(std::string_view outcome) {
  constexpr std::string_view kUnasked[] = {"robots_denied", "robots_deferred", "address_refused", "scheme_refused",
                                           "breaker_open",  "not_reached",     kNoSitemapOutcome};
  return std::find(std::begin(kUnasked), std::end(kUnasked), outcome) == std::end(kUnasked);
}

bool IsSuccess(std::string_view outcome) {
  return outcome == "fetched" || outcome == "not_modified" || outcome == "redirect";
}

int64_t BoundedCounter(const Json& counters, const char* name) {
  const arrow::Result<int64_t> count = GetInt(counters, name);
  return count.ok() ? std::clamp<int64_t>(*count, 0, kMostOfCounter) : 0;
}

void AskedSums::Add(std::string_view outcome, int64_t count) {
  if (IsRequest(outcome)) asked += count;
  if (IsSuccess(outcome)) succeeded += count;
}

AskedSums AskedSums::FromCounters(const Json& counters) {
  constexpr std::string_view kOutcome = "outcome.";
  AskedSums sums;
  if (!counters.is_object()) return sums;
  // Far more than there are.
  constexpr int kMostOutcomes = 1'000;
  int outcomes = 0;
  for (const auto& [name, value] : counters.items()) {
    if (!name.starts_with(kOutcome) || !value.is_number_integer() || ++outcomes > kMostOutcomes) continue;
    sums.Add(std::string_view(name).substr(kOutcome.size()),
             std::clamp<int64_t>(value.get<int64_t>(), 0, kMostOfCounter));
  }
  return sums;
}

}  // namespace trawl
