#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "formats/charts/drawing.h"
#include "formats/charts/numbers.h"

namespace trawl {

namespace {

constexpr double kHeight = 262;
constexpr Box kBox = {.left = 66, .top = 12, .right = 470, .bottom = 208};

double Percent(int64_t part, int64_t whole) { return 100 * static_cast<double>(part) / static_cast<double>(whole); }

Axis Percents() {
  Axis axis = {.from = 0, .to = 100};
  for (const int percent : {0, 20, 40, 60, 80, 100}) {
    axis.ticks.push_back({.value = static_cast<double>(percent), .label = std::to_string(percent) + " %"});
  }
  return axis;
}

// How many of the largest the curve names: 1, 2, 5, 10 and so on, and all of them. So it has few points, and more of them
// where it is steep.
std::vector<size_t> Steps(size_t count) {
  std::vector<size_t> steps;
  for (size_t power = 1; power < count; power *= 10) {
    for (const size_t times : {1, 2, 3, 5, 7}) {
      if (times * power < count) steps.push_back(times * power);
    }
  }
  for (size_t twentieth = 1; twentieth < 20; ++twentieth) steps.push_back(std::max<size_t>(count * twentieth / 20, 1));
  steps.push_back(count);
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

}  // namespace

std::string ShareCurve(const ShareChart& chart) {
  std::vector<int64_t> values = chart.values;
  std::erase_if(values, [](int64_t value) { return value < 0; });
  std::sort(values.begin(), values.end(), std::greater<>());
  std::partial_sum(values.begin(), values.end(), values.begin());
  if (values.empty() || values.back() == 0) return EmptyFigure(chart.text);
  const int64_t all = values.back();
  const auto count = static_cast<int64_t>(values.size());
  Drawing drawing(chart.text.id);
  drawing.Across(Percents(), kBox);
  drawing.Along(Percents(), kBox);
  drawing.Text("tick", Anchor::kEnd, {kBox.right, kBox.bottom + 37}, "of the " + chart.whole);
  ChartTable table = {.heads = {"the largest " + chart.whole, "of all " + chart.whole, "of all " + chart.part}};
  std::vector<Point> line = {{kBox.left, kBox.bottom}};
  for (const size_t step : Steps(values.size())) {
    const double share = Percent(static_cast<int64_t>(step), count), part = Percent(values[step - 1], all);
    line.push_back({kBox.left + share / 100 * kBox.width(), kBox.bottom - part / 100 * kBox.height()});
    table.rows.push_back({ChartNumber(static_cast<double>(step), ChartUnit::kCount),
                          ChartNumber(share, ChartUnit::kPercent), ChartNumber(part, ChartUnit::kPercent)});
  }
  drawing.Path("mark", "", {{{kBox.left, kBox.bottom}, {kBox.right, kBox.top}}}, /*closed=*/false);
  drawing.Path("l1", "", {line}, /*closed=*/false);
  return Figure(chart.text, drawing.Svg(chart.text, kHeight),
                {{.swatch = LineSwatch(0), .text = "share of the " + chart.part},
                 {.swatch = MarkSwatch(), .text = "if all " + chart.whole + " had as many"}},
                table);
}

}  // namespace trawl
