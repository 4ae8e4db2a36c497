#include "jobs/report/figures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "jobs/report/json_numbers.h"

namespace trawl {

namespace {

using Counts = std::vector<std::pair<std::string, int64_t>>;

// The largest first; those of equal size by their names.
Counts Sorted(const Json& counts) {
  Counts sorted;
  if (!counts.is_object()) return sorted;
  for (const auto& [name, count] : counts.items()) {
    if (count.is_number_integer()) sorted.push_back({name, count.get<int64_t>()});
  }
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return sorted;
}

bool HasTime(const Json& round) { return HasNumber(round, "applied_ms"); }

}  // namespace

BarsChart BarsOfCounts(ChartText text, const Json& counts, std::string label_name, std::string value_name,
                       size_t most) {
  BarsChart chart = {.text = std::move(text), .label_name = std::move(label_name), .value_name = std::move(value_name)};
  int64_t rest = 0;
  for (const auto& [name, count] : Sorted(counts)) {
    if (chart.bars.size() < most) {
      chart.bars.push_back({.label = name, .value = static_cast<double>(count)});
    } else {
      rest += count;
    }
  }
  if (rest > 0) chart.bars.push_back({.label = "(all others)", .value = static_cast<double>(rest)});
  return chart;
}

std::vector<HistogramChart::Bucket> BucketsOf(const Json& ranges) {
  std::vector<HistogramChart::Bucket> buckets;
  if (!ranges.is_array()) return buckets;
  for (const Json& range : ranges) {
    const double upper = HasNumber(range, "le") ? NumberOf(range, "le") : std::numeric_limits<double>::infinity();
    buckets.push_back({upper, CountOf(range, "count")});
  }
  return buckets;
}

std::vector<int64_t> TimesOfRounds(const Json& rounds) {
  std::vector<int64_t> times;
  for (const Json& round : rounds) {
    if (HasTime(round)) times.push_back(CountOf(round, "applied_ms"));
  }
  return times;
}

TimeChart CountsOverRounds(ChartText text, const Json& rounds, const char* member) {
  TimeChart chart = {.text = std::move(text), .at_ms = TimesOfRounds(rounds), .thinning = Thinning::kLast};
  Json sums = Json::object();
  for (const Json& round : rounds) {
    for (const auto& [name, count] : Sorted(MemberOf(round, member))) sums[name] = CountOf(sums, name.c_str()) + count;
  }
  const Counts names = Sorted(sums);
  // Where there are more, the last series is the sum of what is left.
  const size_t kept = names.size() > kMostSeries ? kMostSeries - 1 : names.size();
  for (size_t i = 0; i < kept; ++i) chart.series.push_back({.label = names[i].first, .values = {}});
  if (kept < names.size()) chart.series.push_back({.label = "others", .values = {}});
  for (const Json& round : rounds) {
    if (!HasTime(round)) continue;
    for (ChartSeries& series : chart.series) series.values.push_back(0);
    for (const auto& [name, count] : Sorted(MemberOf(round, member))) {
      const auto found =
          std::find_if(names.begin(), names.end(), [&name](const auto& pair) { return pair.first == name; });
      const size_t at = std::min(static_cast<size_t>(found - names.begin()), kept);
      chart.series[at].values.back() += static_cast<double>(count);
    }
  }
  return chart;
}

void MakeShares(TimeChart* chart) {
  chart->unit = ChartUnit::kPercent;
  for (size_t i = 0; i < chart->at_ms.size(); ++i) {
    double sum = 0;
    for (const ChartSeries& series : chart->series) sum += series.values[i];
    for (ChartSeries& series : chart->series) series.values[i] = sum > 0 ? 100 * series.values[i] / sum : 0;
  }
}

}  // namespace trawl
