#include <algorithm>
#include <cmath>

#include "formats/charts/drawing.h"
#include "formats/charts/numbers.h"

namespace trawl {

namespace {

constexpr double kRow = 18;  // of a mark's words above the bars
constexpr double kBars = 170;
constexpr double kFoot = 46;

using Bucket = HistogramChart::Bucket;

// Where a value lies along the buckets, which are all equally wide: 2.5 is the middle of the third.
double PlaceAmong(const std::vector<Bucket>& buckets, double value) {
  double lower = 0;
  for (size_t i = 0; i < buckets.size(); ++i) {
    const double upper = buckets[i].upper;
    if (value <= upper) {
      const double share = std::isfinite(upper) ? (value - lower) / (upper - lower) : 0.5;
      return static_cast<double>(i) + std::clamp(share, 0.0, 1.0);
    }
    lower = upper;
  }
  return static_cast<double>(buckets.size());
}

// Bounds of times up to a minute read best in seconds: 0.05, 0.1, 2.5.
bool AreSeconds(const HistogramChart& chart) {
  if (chart.unit != ChartUnit::kMs) return false;
  return std::all_of(chart.buckets.begin(), chart.buckets.end(),
                     [](const Bucket& bucket) { return !std::isfinite(bucket.upper) || bucket.upper <= 60'000; });
}

std::string BoundText(const HistogramChart& chart, double bound) {
  return AreSeconds(chart) ? Decimals(bound / 1000, 3) : ShortNumber(bound, chart.unit);
}

std::string RangeText(const HistogramChart& chart, size_t i) {
  const double upper = chart.buckets[i].upper;
  if (std::isfinite(upper)) return "up to " + ChartNumber(upper, chart.unit);
  return i == 0 ? "all" : "more than " + ChartNumber(chart.buckets[i - 1].upper, chart.unit);
}

// Each mark has a row of its own for its words, over the lines of all.
void DrawMarks(const HistogramChart& chart, const Box& box, Drawing* drawing) {
  const double each = box.width() / static_cast<double>(chart.buckets.size());
  const auto x_of = [&](const ChartMark& mark) { return box.left + PlaceAmong(chart.buckets, mark.value) * each; };
  const auto y_of = [](size_t i) { return kRow * static_cast<double>(i + 1) - 2; };
  for (size_t i = 0; i < chart.marks.size(); ++i) {
    const double x = x_of(chart.marks[i]);
    drawing->Line("mark", {x, y_of(i) - 10}, {x, box.bottom});
  }
  for (size_t i = 0; i < chart.marks.size(); ++i) {
    const double x = x_of(chart.marks[i]);
    const bool is_right = x > (box.left + box.right) / 2;
    drawing->Text(kNote, is_right ? Anchor::kEnd : Anchor::kStart, {x + (is_right ? -5 : 5), y_of(i)},
                  chart.marks[i].label);
  }
}

}  // namespace

std::string Histogram(const HistogramChart& chart) {
  int64_t sum = 0, most = 0;
  for (const Bucket& bucket : chart.buckets) {
    sum += bucket.count;
    most = std::max(most, bucket.count);
  }
  if (sum == 0 || chart.buckets.size() > kMostBars) return EmptyFigure(chart.text);
  const double top = kRow * static_cast<double>(chart.marks.size()) + 10;
  const Box box = {.left = 66, .top = top, .right = 470, .bottom = top + kBars};
  Drawing drawing(chart.text.id);
  const Axis counts = ValueAxis(static_cast<double>(most), ChartUnit::kCount);
  drawing.Across(counts, box);
  Axis bounds = {.from = 0, .to = static_cast<double>(chart.buckets.size())};
  ChartTable table = {.heads = {"range", "count", "share"}};
  const double each = box.width() / bounds.to;
  for (size_t i = 0; i < chart.buckets.size(); ++i) {
    const double left = box.left + each * static_cast<double>(i);
    const auto count = static_cast<double>(chart.buckets[i].count);
    const double height = counts.Place(count) * box.height();
    const std::string number = ChartNumber(count, ChartUnit::kCount);
    if (count > 0) {
      drawing.Rectangle("edge s1", "", {left, box.bottom - height, left + each, box.bottom},
                        RangeText(chart, i) + ": " + number);
    }
    table.rows.push_back(
        {RangeText(chart, i), number, ChartNumber(100 * count / static_cast<double>(sum), ChartUnit::kPercent)});
    if (std::isfinite(chart.buckets[i].upper) && i + 1 < chart.buckets.size()) {
      bounds.ticks.push_back({.value = static_cast<double>(i + 1), .label = BoundText(chart, chart.buckets[i].upper)});
    }
  }
  drawing.Along(bounds, box);
  if (AreSeconds(chart)) drawing.Text("tick", Anchor::kEnd, {box.right, box.bottom + 37}, "seconds");
  DrawMarks(chart, box, &drawing);
  return Figure(chart.text, drawing.Svg(chart.text, box.bottom + kFoot), {}, table);
}

}  // namespace trawl
