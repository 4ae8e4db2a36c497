#include <algorithm>
#include <cmath>

#include "formats/charts/drawing.h"
#include "formats/charts/escape.h"
#include "formats/charts/numbers.h"

namespace trawl {

namespace {

constexpr double kRow = 38;
// So that a label and the value beside it have room at the width of a phone.
constexpr size_t kMostLabel = 38;

using Bar = BarsChart::Bar;

std::string ValueText(const BarsChart& chart, const Bar& bar) {
  return ChartNumber(bar.value, chart.unit) + (bar.note.empty() ? "" : ", " + bar.note);
}

ChartTable TableOf(const BarsChart& chart, size_t shown) {
  ChartTable table = {.heads = {chart.label_name, chart.value_name}};
  for (size_t i = 0; i < shown; ++i) {
    const Bar& bar = chart.bars[i];
    table.rows.push_back(
        {ShortText(bar.label, kMostLabelText), ValueText(chart, bar) + (bar.is_marked ? ": " + chart.mark_text : "")});
  }
  if (shown < chart.bars.size()) {
    table.note = "the first " + std::to_string(shown) + " of " + std::to_string(chart.bars.size());
  }
  return table;
}

}  // namespace

std::string BarChart(const BarsChart& chart) {
  const size_t shown = std::min(chart.bars.size(), kMostBars);
  double most = 0;
  bool any_marked = false;
  for (size_t i = 0; i < shown; ++i) {
    if (std::isfinite(chart.bars[i].value)) most = std::max(most, chart.bars[i].value);
    any_marked |= chart.bars[i].is_marked;
  }
  if (shown == 0) return EmptyFigure(chart.text);
  Drawing drawing(chart.text.id);
  for (size_t i = 0; i < shown; ++i) {
    const Bar& bar = chart.bars[i];
    const double top = kRow * static_cast<double>(i);
    drawing.Text("bar", Anchor::kStart, {0, top + 15}, ShortText(bar.label, kMostLabel));
    drawing.Text("tick", Anchor::kEnd, {kChartWidth, top + 15}, ValueText(chart, bar));
    const double share = most > 0 && std::isfinite(bar.value) ? std::max(bar.value, 0.0) / most : 0;
    const size_t look = bar.is_marked ? 1 : 0;
    drawing.Rectangle(look == 0 ? "s1" : "edge", drawing.Fill(look),
                      {0, top + 21, std::max(share * kChartWidth, 1.0), top + 31},
                      ShortText(bar.label, kMostLabelText) + ": " + ValueText(chart, bar));
  }
  std::vector<LegendItem> legend;
  if (any_marked) legend.push_back({.swatch = FilledSwatch(chart.text.id, 1), .text = chart.mark_text});
  return Figure(chart.text, drawing.Svg(chart.text, kRow * static_cast<double>(shown)), legend, TableOf(chart, shown));
}

}  // namespace trawl
