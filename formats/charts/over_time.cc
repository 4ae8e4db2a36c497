// Lines, areas and bars over the time.
#include <algorithm>
#include <cmath>

#include "formats/charts/drawing.h"
#include "formats/charts/escape.h"
#include "formats/charts/numbers.h"

namespace trawl {

namespace {

constexpr double kHeight = 250;
constexpr Box kBox = {.left = 66, .top = 12, .right = 470, .bottom = 208};
// A mark further above than this would press the values flat: the legend says it in words.
constexpr double kFarAbove = 3;

// The value that stands for some neighbours; NaN where none is known.
double Together(const std::vector<double>& values, size_t begin, size_t end, Thinning thinning) {
  if (thinning == Thinning::kLast) return values[end - 1];
  double sum = 0;
  int known = 0;
  for (size_t i = begin; i < end; ++i) {
    if (std::isnan(values[i])) continue;
    sum += values[i];
    ++known;
  }
  return known == 0 ? std::nan("") : sum / known;
}

struct Thinned {
  TimeChart chart;
  size_t points_each = 1;
};

// The chart with at most `most` points and kMostSeries series, each as long as the times.
Thinned ThinnedOut(const TimeChart& chart, size_t most) {
  Thinned thinned = {
      .chart = {.text = chart.text, .unit = chart.unit, .marks = chart.marks, .thinning = chart.thinning}};
  const size_t points = chart.at_ms.size();
  thinned.points_each = std::max<size_t>((points + most - 1) / most, 1);
  for (size_t i = 0; i < points; i += thinned.points_each) {
    const size_t end = std::min(i + thinned.points_each, points);
    thinned.chart.at_ms.push_back(chart.at_ms[chart.thinning == Thinning::kLast ? end - 1 : i]);
  }
  for (const ChartSeries& series : chart.series) {
    if (thinned.chart.series.size() == kMostSeries) break;
    std::vector<double> values = series.values;
    values.resize(points, std::nan(""));
    ChartSeries few = {.label = ShortText(series.label, kMostLabelText)};
    for (size_t i = 0; i < points; i += thinned.points_each) {
      few.values.push_back(Together(values, i, std::min(i + thinned.points_each, points), chart.thinning));
    }
    thinned.chart.series.push_back(std::move(few));
  }
  return thinned;
}

ChartTable TableOf(const Thinned& thinned) {
  const TimeChart& chart = thinned.chart;
  ChartTable table = {.heads = {"time (UTC)"}};
  for (const ChartSeries& series : chart.series) table.heads.push_back(series.label);
  for (size_t i = 0; i < chart.at_ms.size(); ++i) {
    table.rows.push_back({ChartTime(chart.at_ms[i])});
    for (const ChartSeries& series : chart.series)
      table.rows.back().push_back(ChartNumber(series.values[i], chart.unit));
  }
  if (thinned.points_each > 1) {
    table.note = std::string("each row is ") + (chart.thinning == Thinning::kMean ? "the mean" : "the last") + " of " +
                 std::to_string(thinned.points_each) + " points";
  }
  return table;
}

double OrZero(double value) { return std::isfinite(value) ? value : 0; }

double Largest(const TimeChart& chart) {
  double most = 0;
  for (const ChartSeries& series : chart.series) {
    for (const double value : series.values) most = std::max(most, OrZero(value));
  }
  return most;
}

double LargestSum(const TimeChart& chart) {
  double most = 0;
  for (size_t i = 0; i < chart.at_ms.size(); ++i) {
    double sum = 0;
    for (const ChartSeries& series : chart.series) sum += OrZero(series.values[i]);
    most = std::max(most, sum);
  }
  // Shares add up to 100, but for their rounding.
  return chart.unit == ChartUnit::kPercent && most > 99 && most < 101 ? 100 : most;
}

// The range of the values, which takes in the marks that are not far above.
double WithMarks(const TimeChart& chart, double most) {
  double with = most;
  for (const ChartMark& mark : chart.marks) {
    if (mark.value <= kFarAbove * most) with = std::max(with, mark.value);
  }
  return with;
}

void DrawMarks(const TimeChart& chart, const Axis& values, Drawing* drawing, std::vector<LegendItem>* legend) {
  for (const ChartMark& mark : chart.marks) {
    const bool is_inside = mark.value <= values.to;
    if (is_inside) drawing->Mark(mark, values, kBox);
    legend->push_back({.swatch = MarkSwatch(), .text = mark.label + (is_inside ? "" : " (above the picture)")});
  }
}

Axis TimesOf(const TimeChart& chart) { return TimeAxis(chart.at_ms.front(), chart.at_ms.back()); }

double PlaceOf(const Axis& times, const TimeChart& chart, size_t i) {
  if (chart.at_ms.size() == 1) return (kBox.left + kBox.right) / 2;
  return kBox.left + times.Place(static_cast<double>(chart.at_ms[i])) * kBox.width();
}

double HeightOf(const Axis& values, double value) { return kBox.bottom - values.Place(value) * kBox.height(); }

// The line of a series in pieces, without what is not known. A piece of one point becomes a dot.
void DrawLine(const TimeChart& chart, size_t number, const Axis& times, const Axis& values, Drawing* drawing) {
  const std::string number_text = std::to_string(number + 1);
  std::vector<std::vector<Point>> pieces(1);
  for (size_t i = 0; i < chart.at_ms.size(); ++i) {
    const double value = chart.series[number].values[i];
    if (!std::isfinite(value)) {
      if (!pieces.back().empty()) pieces.emplace_back();
      continue;
    }
    pieces.back().push_back({PlaceOf(times, chart, i), HeightOf(values, value)});
  }
  for (const std::vector<Point>& piece : pieces) {
    if (piece.size() == 1) drawing->Dot("s" + number_text, piece.front(), 3.5);
  }
  std::erase_if(pieces, [](const std::vector<Point>& piece) { return piece.size() < 2; });
  drawing->Path("l" + number_text, Drawing::Dash(number), pieces, /*closed=*/false);
}

std::string FilledClass(size_t series) { return series == 0 ? "edge s1" : "edge"; }

// The legend of a stack stands as the stack does: the topmost first.
std::vector<LegendItem> StackLegend(const TimeChart& chart) {
  std::vector<LegendItem> legend;
  if (chart.series.size() < 2) return legend;
  for (size_t i = chart.series.size(); i-- > 0;) {
    legend.push_back({.swatch = FilledSwatch(chart.text.id, i), .text = chart.series[i].label});
  }
  return legend;
}

std::string BarTooltip(const TimeChart& chart, size_t number, size_t i) {
  const ChartSeries& series = chart.series[number];
  return ChartTime(chart.at_ms[i]) + ", " + series.label + " " + ChartNumber(series.values[i], chart.unit);
}

// How many times a chart shows, so that those of many series are not longer than others.
size_t MostPoints(const TimeChart& chart) {
  return std::clamp<size_t>(3 * kMostPoints / std::max<size_t>(chart.series.size(), 1), 40, kMostPoints);
}
size_t MostBars(const TimeChart& chart) {
  return std::clamp<size_t>(6 * kMostBars / std::max<size_t>(chart.series.size(), 1), 24, kMostBars);
}

bool HasNumbers(const TimeChart& chart) {
  for (const ChartSeries& series : chart.series) {
    for (const double value : series.values) {
      if (std::isfinite(value)) return !chart.at_ms.empty();
    }
  }
  return false;
}

void DrawBars(const TimeChart& chart, const Axis& values, Drawing* drawing) {
  const double each = kBox.width() / static_cast<double>(chart.at_ms.size());
  const double gap = std::min(each * 0.2, 8.0);
  const double width = std::min(each - gap, 60.0);
  std::vector<double> below(chart.at_ms.size());
  for (size_t number = 0; number < chart.series.size(); ++number) {
    const std::string fill = drawing->Fill(number);
    for (size_t i = 0; i < chart.at_ms.size(); ++i) {
      const double value = OrZero(chart.series[number].values[i]);
      if (value <= 0) continue;
      const double left = kBox.left + each * (static_cast<double>(i) + 0.5) - width / 2;
      const Box bar = {left, HeightOf(values, below[i] + value), left + width, HeightOf(values, below[i])};
      drawing->Rectangle(FilledClass(number), fill, bar, BarTooltip(chart, number, i));
      below[i] += value;
    }
  }
}

// Bars stand in even distances, so the axis names the times of some of them.
void NameBars(const TimeChart& chart, Drawing* drawing) {
  const size_t count = chart.at_ms.size(), every = (count + 4) / 5;
  Axis axis = {.from = 0, .to = static_cast<double>(count)};
  for (size_t i = 0; i < count; i += every) {
    const std::string text = ChartTime(chart.at_ms[i]);
    const CivilTime time = CivilOf(chart.at_ms[i]);
    axis.ticks.push_back({.value = static_cast<double>(i) + 0.5,
                          .label = text.substr(11),
                          .second = std::to_string(time.day) + " " + MonthName(time.month)});
  }
  drawing->Along(axis, kBox);
}

}  // namespace

std::string LineChart(const TimeChart& whole) {
  if (!HasNumbers(whole)) return EmptyFigure(whole.text);
  const Thinned thinned = ThinnedOut(whole, MostPoints(whole));
  const TimeChart& chart = thinned.chart;
  Drawing drawing(chart.text.id);
  const Axis times = TimesOf(chart), values = ValueAxis(WithMarks(chart, Largest(chart)), chart.unit);
  drawing.Across(values, kBox);
  drawing.Along(times, kBox);
  std::vector<LegendItem> legend;
  for (size_t i = 0; i < chart.series.size(); ++i) {
    DrawLine(chart, i, times, values, &drawing);
    if (chart.series.size() > 1) legend.push_back({.swatch = LineSwatch(i), .text = chart.series[i].label});
  }
  DrawMarks(chart, values, &drawing, &legend);
  return Figure(chart.text, drawing.Svg(chart.text, kHeight), legend, TableOf(thinned));
}

std::string AreaChart(const TimeChart& whole) {
  if (!HasNumbers(whole)) return EmptyFigure(whole.text);
  if (whole.at_ms.size() == 1) return StackedBarChart(whole);
  const Thinned thinned = ThinnedOut(whole, MostPoints(whole));
  const TimeChart& chart = thinned.chart;
  Drawing drawing(chart.text.id);
  const Axis times = TimesOf(chart), values = ValueAxis(WithMarks(chart, LargestSum(chart)), chart.unit);
  drawing.Across(values, kBox);
  std::vector<double> below(chart.at_ms.size());
  for (size_t number = 0; number < chart.series.size(); ++number) {
    std::vector<Point> edge, floor;
    for (size_t i = 0; i < chart.at_ms.size(); ++i) {
      const double x = PlaceOf(times, chart, i);
      floor.push_back({x, HeightOf(values, below[i])});
      below[i] += OrZero(chart.series[number].values[i]);
      edge.push_back({x, HeightOf(values, below[i])});
    }
    edge.insert(edge.end(), floor.rbegin(), floor.rend());
    drawing.Path(FilledClass(number), drawing.Fill(number), {edge}, /*closed=*/true);
  }
  drawing.Along(times, kBox);
  std::vector<LegendItem> legend = StackLegend(chart);
  DrawMarks(chart, values, &drawing, &legend);
  return Figure(chart.text, drawing.Svg(chart.text, kHeight), legend, TableOf(thinned));
}

std::string StackedBarChart(const TimeChart& whole) {
  if (!HasNumbers(whole)) return EmptyFigure(whole.text);
  const Thinned thinned = ThinnedOut(whole, MostBars(whole));
  const TimeChart& chart = thinned.chart;
  Drawing drawing(chart.text.id);
  const Axis values = ValueAxis(WithMarks(chart, LargestSum(chart)), chart.unit);
  drawing.Across(values, kBox);
  DrawBars(chart, values, &drawing);
  NameBars(chart, &drawing);
  std::vector<LegendItem> legend = StackLegend(chart);
  DrawMarks(chart, values, &drawing, &legend);
  return Figure(chart.text, drawing.Svg(chart.text, kHeight), legend, TableOf(thinned));
}

}  // namespace trawl
