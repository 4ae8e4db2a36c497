// The door of formats/metrics: numbers as text that Prometheus reads.
//
// Two formats: the text format 0.0.4, and OpenMetrics 1.0. Names, labels and values are the caller's; whatever they hold,
// the text stays well formed. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/rows/times.h"

namespace trawl {

enum class MetricType { kCounter, kGauge, kHistogram };

using MetricLabels = std::vector<std::pair<std::string, std::string>>;

struct MetricSample {
  MetricLabels labels;
  double value = 0;
  std::string suffix;  // "_bucket", "_sum", "_count" of a histogram
  // The time of the value, for samples of the past; nothing means now.
  std::optional<TimeMs> at_ms;
  bool operator==(const MetricSample&) const = default;
};

struct MetricFamily {
  std::string name;  // that of a counter ends in _total
  MetricType type = MetricType::kGauge;
  std::string help;
  std::vector<MetricSample> samples;
  // Of a counter or histogram: since when it counts, where that is known. OpenMetrics alone says it.
  std::optional<TimeMs> created_ms;

  void Add(double value, MetricLabels labels = {}) { samples.push_back({std::move(labels), value, "", std::nullopt}); }
};

// Counts of values by their size.
struct MetricHistogram {
  std::vector<double> bounds;   // upper bounds, rising; the last bucket has none
  std::vector<int64_t> counts;  // one more than bounds; of each bucket alone
  double sum = 0;
};
// REQUIRES: counts has one element more than bounds.
void AddHistogram(const MetricHistogram& histogram, const MetricLabels& labels, MetricFamily* family);

enum class MetricsFormat { kText, kOpenMetrics };

// The value of Content-Type.
const char* ContentTypeOf(MetricsFormat format);
// The one that a client prefers by its Accept header. Whoever does not name OpenMetrics gets the text format.
MetricsFormat FormatAskedFor(std::string_view accept);

// Families without samples are left out. One of a name that no metric may have is left out, too.
std::string MetricsText(const std::vector<MetricFamily>& families, MetricsFormat format);

}  // namespace trawl
