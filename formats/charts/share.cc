#include <algorithm>
#include <cmath>
#include <vector>

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
std::vector<int64_t> Steps(int64_t count) {
  std::vector<int64_t> steps;
  for (int64_t power = 1; power < count; power *= 10) {
    for (const int64_t times : {1, 2, 3, 5, 7}) {
      if (times * power < count) steps.push_back(times * power);
    }
  }
  for (int64_t twentieth = 1; twentieth < 20; ++twentieth)
    steps.push_back(std::max<int64_t>(count * twentieth / 20, 1));
  steps.push_back(count);
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

// The sum of the largest `count`; the groups are sorted, the largest values first.
int64_t SumOfLargest(const std::vector<ShareChart::Group>& groups, int64_t count) {
  int64_t sum = 0;
  for (const ShareChart::Group& group : groups) {
    const int64_t taken = std::min(group.count, count);
    sum += taken * group.value;
    count -= taken;
    if (count == 0) break;
  }
  return sum;
}

}  // namespace

std::string ShareCurve(const ShareChart& chart) {
  std::vector<ShareChart::Group> groups = chart.groups;
  std::erase_if(groups, [](const ShareChart::Group& group) { return group.value < 0 || group.count <= 0; });
  std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
  int64_t count = 0;
  for (const ShareChart::Group& group : groups) count += group.count;
  const int64_t all = SumOfLargest(groups, count);
  if (all == 0) return EmptyFigure(chart.text);
  Drawing drawing(chart.text.id);
  drawing.Across(Percents(), kBox);
  drawing.Along(Percents(), kBox);
  drawing.Text("tick", Anchor::kEnd, {kBox.right, kBox.bottom + 37}, "of the " + chart.whole);
  ChartTable table = {.heads = {"the largest " + chart.whole, "of all " + chart.whole, "of all " + chart.part}};
  std::vector<Point> line = {{kBox.left, kBox.bottom}};
  for (const int64_t step : Steps(count)) {
    const double share = Percent(step, count), part = Percent(SumOfLargest(groups, step), all);
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
