#include "jobs/report/growth.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "formats/rows/times.h"
#include "jobs/report/json_numbers.h"

namespace trawl {

Growth GrowthOf(const Json& rounds) {
  std::vector<const Json*> known;
  for (const Json& round : rounds) {
    if (HasNumber(round, "applied_ms") && HasNumber(MemberOf(round, "storage"), "tables")) known.push_back(&round);
  }
  if (known.size() < 2) return {};
  int64_t took_ms = CountOf(*known.back(), "applied_ms") - CountOf(*known.front(), "applied_ms");
  if (took_ms <= 0) return {};
  // A crawl of some minutes does not go on like that all day.
  took_ms = std::max(took_ms, kDayMs);
  double bytes =
      NumberOf(MemberOf(*known.back(), "storage"), "tables") - NumberOf(MemberOf(*known.front(), "storage"), "tables");
  for (size_t i = 1; i < known.size(); ++i)
    bytes += static_cast<double>(CountOf(MemberOf(*known[i], "storage"), "segment"));
  return {.is_known = true,
          .bytes_a_day = std::max(bytes, 0.0) * static_cast<double>(kDayMs) / static_cast<double>(took_ms)};
}

double DaysLeft(const Growth& growth, double free_bytes) {
  if (!growth.is_known || std::isnan(free_bytes)) return std::nan("");
  if (growth.bytes_a_day <= 0) return std::numeric_limits<double>::infinity();
  return free_bytes / growth.bytes_a_day;
}

}  // namespace trawl
