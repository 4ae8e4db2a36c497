#include <algorithm>
#include <cmath>

#include "formats/charts/drawing.h"
#include "formats/charts/escape.h"
#include "formats/charts/numbers.h"

namespace trawl {

namespace {

constexpr double kHeight = 270;
constexpr Box kBox = {.left = 66, .top = 12, .right = 470, .bottom = 208};

using Dot = DotsChart::Dot;

// The dots that are shown: all wrong ones first, then every so-manieth of the others.
std::vector<Dot> Chosen(const DotsChart& chart) {
  std::vector<Dot> wrong, right;
  for (const Dot& dot : chart.dots) {
    // A logarithmic axis has no place for others.
    if (!(dot.x > 0) || !(dot.y > 0) || !std::isfinite(dot.x) || !std::isfinite(dot.y)) continue;
    (dot.is_wrong ? wrong : right).push_back(dot);
    Dot& taken = (dot.is_wrong ? wrong : right).back();
    taken.label = ShortText(taken.label, kMostLabelText);
  }
  if (wrong.size() > kMostDots) wrong.resize(kMostDots);
  const size_t room = kMostDots - wrong.size();
  const size_t every = room == 0 ? right.size() + 1 : (right.size() + room - 1) / std::max<size_t>(room, 1);
  std::vector<Dot> chosen;
  for (size_t i = 0; room > 0 && i < right.size(); i += std::max<size_t>(every, 1)) chosen.push_back(right[i]);
  chosen.insert(chosen.end(), wrong.begin(), wrong.end());  // on top of the others
  return chosen;
}

}  // namespace

std::string DotChart(const DotsChart& chart) {
  const std::vector<Dot> dots = Chosen(chart);
  if (dots.empty()) return EmptyFigure(chart.text);
  double least_x = dots[0].x, most_x = dots[0].x, least_y = dots[0].y, most_y = dots[0].y;
  for (const Dot& dot : dots) {
    least_x = std::min(least_x, dot.x), most_x = std::max(most_x, dot.x);
    least_y = std::min(least_y, dot.y), most_y = std::max(most_y, dot.y);
  }
  for (const ChartMark& mark : chart.marks)
    least_y = std::min(least_y, mark.value), most_y = std::max(most_y, mark.value);
  const Axis across = LogarithmicAxis(least_y, most_y, chart.y_unit),
             along = LogarithmicAxis(least_x, most_x, chart.x_unit);
  Drawing drawing(chart.text.id);
  drawing.Across(across, kBox);
  drawing.Along(along, kBox);
  drawing.Text("tick", Anchor::kEnd, {kBox.right, kBox.bottom + 37}, chart.x_name);
  std::vector<LegendItem> legend;
  for (const ChartMark& mark : chart.marks) {
    drawing.Mark({.label = "", .value = mark.value}, across, kBox);
    legend.push_back({.swatch = MarkSwatch(), .text = mark.label});
  }
  ChartTable table = {.heads = {"name", chart.x_name, chart.y_name}};
  for (const Dot& dot : dots) {
    const Point at = {kBox.left + along.Place(dot.x) * kBox.width(), kBox.bottom - across.Place(dot.y) * kBox.height()};
    const std::string x = ChartNumber(dot.x, chart.x_unit), y = ChartNumber(dot.y, chart.y_unit);
    const std::string tooltip = dot.label + ": " + y;
    if (dot.is_wrong) {
      drawing.Cross("wrong", at, 5, tooltip);
    } else {
      drawing.Dot("s1", at, 3.5, tooltip);
    }
    table.rows.push_back({dot.label, x, y});
  }
  if (dots.size() < chart.dots.size()) {
    table.note = std::to_string(dots.size()) + " of " + std::to_string(chart.dots.size());
  }
  if (dots.back().is_wrong) legend.push_back({.swatch = CrossSwatch(), .text = "not as it should be"});
  return Figure(chart.text, drawing.Svg(chart.text, kHeight), legend, table);
}

}  // namespace trawl
