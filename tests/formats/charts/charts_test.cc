// Charts: what every one of them keeps to, and what each shows.
#include "formats/charts/charts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "formats/charts/axis.h"
#include "formats/charts/numbers.h"

namespace trawl {
namespace {

constexpr int64_t kTime = 1'767'268'800'000;  // 2026-01-01T12:00:00Z
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TimeChart PagesChart(size_t points, size_t series) {
  TimeChart chart = {.text = {.id = "pages", .title = "Pages <b>", .description = "What came \"in\"."}};
  for (size_t i = 0; i < points; ++i) chart.at_ms.push_back(kTime + static_cast<int64_t>(i) * 60'000);
  for (size_t s = 0; s < series; ++s) {
    chart.series.push_back({.label = "series & " + std::to_string(s), .values = {}});
    for (size_t i = 0; i < points; ++i) chart.series.back().values.push_back(static_cast<double>((i * 7 + s) % 90));
  }
  return chart;
}

HistogramChart TimesChart() {
  return {.text = {.id = "times", .title = "Response times", .description = "All."},
          .buckets = {{50, 5}, {100, 20}, {1000, 3}, {kInfinity, 1}},
          .marks = {{"p50 80 ms", 80}, {"limit 5 s", 5000}}};
}

std::vector<std::string> AllCharts() {
  BarsChart bars = {.text = {.id = "bars", .title = "Hosts", .description = "Slow <i>"}, .mark_text = "slow"};
  for (int i = 0; i < 100; ++i)
    bars.bars.push_back({.label = "<h" + std::to_string(i), .value = 100.0 - i, .is_marked = i == 0});
  DotsChart dots = {.text = {.id = "dots", .title = "Gaps", .description = "A dot per host."},
                    .x_name = "requests",
                    .y_name = "ratio"};
  for (int i = 1; i < 1000; ++i) dots.dots.push_back({.label = "'h" + std::to_string(i), .x = 1.0 * i, .y = 1.0 + i});
  ShareChart share = {
      .text = {.id = "share", .title = "Share", .description = "Of pages."}, .whole = "hosts", .part = "pages"};
  for (int i = 0; i < 10'000; ++i) share.groups.push_back({i, 1});
  return {LineChart(PagesChart(1440, 12)),
          AreaChart(PagesChart(1440, 12)),
          StackedBarChart(PagesChart(1440, 12)),
          Histogram(TimesChart()),
          BarChart(bars),
          DotChart(dots),
          ShareCurve(share)};
}

size_t CountOf(const std::string& text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// The name of the first element that is not closed where it must be; empty where all are.
std::string Unbalanced(const std::string& html) {
  std::vector<std::string> open;
  for (size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const size_t end = html.find('>', at);
    if (end == std::string::npos) return "the end";
    const bool is_end = html[at + 1] == '/';
    const size_t begin = at + (is_end ? 2 : 1);
    const std::string name = html.substr(begin, html.find_first_of(" />", begin) - begin);
    if (is_end) {
      if (open.empty() || open.back() != name) return name;
      open.pop_back();
    } else if (html[end - 1] != '/') {
      open.push_back(name);
    }
  }
  return open.empty() ? "" : open.back();
}

TEST(Charts, AllAreWellFormedAndNeedNoStyleAttributeAndNoScript) {
  const std::vector<std::string> charts = AllCharts();
  ASSERT_EQ(charts.size(), 7u);
  for (const std::string& chart : charts) {
    EXPECT_EQ(Unbalanced(chart), "") << chart.substr(0, 300);
    EXPECT_EQ(chart.find(" style="), std::string::npos);
    EXPECT_EQ(chart.find("<script"), std::string::npos);
    EXPECT_EQ(chart.find(" on"), chart.find(" one")) << "no attribute like onload";
    EXPECT_NE(chart.find("<svg viewBox=\"0 0 480 "), std::string::npos);
    EXPECT_EQ(CountOf(chart, "role=\"img\""), 1u);
    EXPECT_EQ(CountOf(chart, "<title id="), 1u);
    EXPECT_EQ(CountOf(chart, "<desc id="), 1u);
    EXPECT_EQ(CountOf(chart, "<details>"), 1u);
    EXPECT_EQ(CountOf(chart, "<caption>"), 1u);
    EXPECT_EQ(CountOf(chart, "nan"), 0u);
    EXPECT_EQ(CountOf(chart, "inf"), 0u);
  }
}

TEST(Charts, TheSameValuesGiveTheSameBytes) { EXPECT_EQ(AllCharts(), AllCharts()); }

TEST(Charts, TheirSizeIsBounded) {
  for (const std::string& chart : AllCharts()) EXPECT_LT(chart.size(), 150'000u) << chart.substr(0, 200);
  const std::string line = LineChart(PagesChart(1440, 1));
  EXPECT_EQ(CountOf(line, "<th scope=\"row\">"), 160u);
  EXPECT_NE(line.find("each row is the mean of 9 points"), std::string::npos);
  EXPECT_EQ(CountOf(LineChart(PagesChart(168, 1)), "<th scope=\"row\">"), 168u);
}

TEST(Charts, LabelsAndTitlesAreText) {
  for (const std::string& chart : AllCharts()) {
    EXPECT_EQ(CountOf(chart, "<b>"), 1u) << "only that of the caption";
    EXPECT_EQ(CountOf(chart, "<i>"), 0u);
    EXPECT_EQ(CountOf(chart, "<h"), 0u);
  }
  EXPECT_NE(LineChart(PagesChart(5, 2)).find("series &amp; 1"), std::string::npos);
}

TEST(Charts, AChartWithoutNumbersSaysSo) {
  const ChartText text = {.id = "x", .title = "Nothing", .description = ""};
  TimeChart unknown = {.text = text, .at_ms = {kTime}, .series = {{.label = "a", .values = {std::nan("")}}}};
  for (const std::string& chart : {LineChart({.text = text}), AreaChart({.text = text}),
                                   StackedBarChart({.text = text}), Histogram({.text = text}), BarChart({.text = text}),
                                   DotChart({.text = text}), ShareCurve({.text = text}), LineChart(unknown)}) {
    EXPECT_EQ(chart,
              "<figure class=\"chart\"><figcaption><b>Nothing</b></figcaption><p>There is nothing to show "
              "here.</p></figure>");
  }
}

TEST(Charts, WhatIsNotKnownIsAGapInALine) {
  TimeChart chart = PagesChart(6, 1);
  chart.series[0].values = {1, 2, std::nan(""), std::nan(""), 5, 5};
  const std::string line = LineChart(chart);
  const size_t path = line.find("<path class=\"l1\" d=\"");
  ASSERT_NE(path, std::string::npos);
  EXPECT_EQ(CountOf(line.substr(path, line.find('>', path) - path), "M"), 2u) << "two pieces";
  EXPECT_EQ(CountOf(line, "<td>unknown</td>"), 2u);
}

TEST(Charts, ALonePointIsADotOrABar) {
  EXPECT_NE(LineChart(PagesChart(1, 1)).find("<circle class=\"s1\""), std::string::npos);
  TimeChart one = PagesChart(1, 2);
  EXPECT_NE(AreaChart(one).find("<rect class=\"edge\" fill=\"url(#pages-f2)\""), std::string::npos);
}

TEST(Charts, AStackThatIsThinnedOutKeepsTheLastOrTheMean) {
  TimeChart chart = PagesChart(2 * kMostBars, 1);
  for (size_t i = 0; i < chart.at_ms.size(); ++i) chart.series[0].values[i] = i % 2 == 0 ? 10 : 30;
  EXPECT_EQ(CountOf(StackedBarChart(chart), "<td>20</td>"), kMostBars);
  chart.thinning = Thinning::kLast;
  EXPECT_EQ(CountOf(StackedBarChart(chart), "<td>30</td>"), kMostBars);
}

TEST(Charts, AFarMarkIsSaidInTheLegend) {
  TimeChart chart = PagesChart(5, 1);
  chart.marks = {{"limit", 10'000}};
  EXPECT_NE(LineChart(chart).find("limit (above the picture)"), std::string::npos);
  chart.marks = {{"limit", 40}};
  EXPECT_EQ(LineChart(chart).find("above the picture"), std::string::npos);
}

TEST(Charts, AHistogramNamesItsRangesAndMarks) {
  const std::string chart = Histogram(TimesChart());
  EXPECT_NE(chart.find("<tr><th scope=\"row\">up to 50 ms</th><td>5</td><td>17.2 %</td></tr>"), std::string::npos)
      << chart;
  EXPECT_NE(chart.find("<tr><th scope=\"row\">more than 1 s</th><td>1</td><td>3.4 %</td></tr>"), std::string::npos);
  EXPECT_NE(chart.find(">p50 80 ms</text>"), std::string::npos);
  EXPECT_NE(chart.find(">0.05</text>"), std::string::npos);
  EXPECT_NE(chart.find(">seconds</text>"), std::string::npos);
}

TEST(Charts, AMarkedBarHasAPatternAndWords) {
  const std::string chart = BarChart(
      {.text = {.id = "b", .title = "t", .description = ""},
       .mark_text = "took long",
       .bars = {{.label = "one", .value = 4, .note = "2 hosts", .is_marked = true}, {.label = "two", .value = 1}}});
  EXPECT_NE(chart.find("<pattern id=\"b-f2\""), std::string::npos);
  EXPECT_NE(chart.find("<td>4, 2 hosts: took long</td>"), std::string::npos);
  EXPECT_NE(chart.find("</svg>took long</li>"), std::string::npos);
}

TEST(Charts, WrongDotsAreCrossesAndNeverThinnedOut) {
  DotsChart chart = {.text = {.id = "d", .title = "t", .description = ""}, .x_name = "requests", .y_name = "ratio"};
  for (int i = 1; i <= 5000; ++i) chart.dots.push_back({.label = "h", .x = 10, .y = 2, .is_wrong = i % 1000 == 0});
  chart.dots.push_back({.label = "nowhere", .x = 0, .y = -1});
  const std::string html = DotChart(chart);
  EXPECT_EQ(CountOf(html, "<path class=\"wrong\" d=\"M"), 6u) << "five, and the one of the legend";
  EXPECT_LE(CountOf(html, "<circle"), kMostDots);
  EXPECT_GT(CountOf(html, "<circle"), kMostDots / 2);
}

TEST(Charts, TheShareCurveCountsFromTheLargest) {
  const std::string html = ShareCurve({.text = {.id = "s", .title = "t", .description = ""},
                                       .whole = "hosts",
                                       .part = "pages",
                                       .groups = {{1, 1}, {0, 1}, {6, 1}, {3, 1}}});
  EXPECT_NE(html.find("<tr><th scope=\"row\">1</th><td>25 %</td><td>60 %</td></tr>"), std::string::npos) << html;
  EXPECT_NE(html.find("<tr><th scope=\"row\">2</th><td>50 %</td><td>90 %</td></tr>"), std::string::npos);
}

std::vector<std::string> LabelsOf(const Axis& axis) {
  std::vector<std::string> labels;
  for (const Tick& tick : axis.ticks) labels.push_back(tick.label + (tick.second.empty() ? "" : "/" + tick.second));
  return labels;
}

TEST(Charts, TicksAreRound) {
  using Labels = std::vector<std::string>;
  EXPECT_EQ(LabelsOf(ValueAxis(3, ChartUnit::kCount)), (Labels{"0", "1", "2", "3"}));
  EXPECT_EQ(LabelsOf(ValueAxis(0, ChartUnit::kCount)), (Labels{"0", "1"}));
  EXPECT_EQ(LabelsOf(ValueAxis(43'210, ChartUnit::kCount)), (Labels{"0", "20 k", "40 k", "60 k"}));
  EXPECT_EQ(LabelsOf(ValueAxis(100, ChartUnit::kPercent)), (Labels{"0 %", "50 %", "100 %"}));
  EXPECT_EQ(LabelsOf(ValueAxis(700.0 * 1024 * 1024, ChartUnit::kBytes)),
            (Labels{"0 B", "200 MiB", "400 MiB", "600 MiB", "800 MiB"}));
  EXPECT_EQ(LabelsOf(ValueAxis(95'000, ChartUnit::kMs)), (Labels{"0 ms", "30 s", "1 min", "1.5 min", "2 min"}));
  EXPECT_EQ(LabelsOf(LogarithmicAxis(0.4, 12, ChartUnit::kRatio)), (Labels{"0.1", "1", "10", "100"}));
}

TEST(Charts, TimesHaveTheirDayOrYearWhereItChanges) {
  using Labels = std::vector<std::string>;
  constexpr int64_t kHour = 3'600'000;
  EXPECT_EQ(LabelsOf(TimeAxis(kTime, kTime + 14 * kHour)),
            (Labels{"12:00/1 Jan", "15:00", "18:00", "21:00", "00:00/2 Jan"}));
  EXPECT_EQ(LabelsOf(TimeAxis(kTime - 100 * 24 * kHour, kTime)), (Labels{"Oct/2025", "Nov", "Dec", "Jan/2026"}));
  EXPECT_EQ(LabelsOf(TimeAxis(kTime, kTime)).size(), 1u);
  EXPECT_LE(LabelsOf(TimeAxis(0, INT64_MAX)).size(), 20u) << "any times end";
}

TEST(Charts, NumbersHaveUnits) {
  EXPECT_EQ(ChartNumber(1'234'567, ChartUnit::kCount), "1,234,567");
  EXPECT_EQ(ChartNumber(-1234, ChartUnit::kCount), "-1,234");
  EXPECT_EQ(ChartNumber(3.5 * 1024 * 1024, ChartUnit::kBytes), "3.5 MiB");
  EXPECT_EQ(ChartNumber(250, ChartUnit::kMs), "250 ms");
  EXPECT_EQ(ChartNumber(12.34, ChartUnit::kPercent), "12.3 %");
  EXPECT_EQ(ChartNumber(12.34, ChartUnit::kPerSecond), "12.3/s");
  EXPECT_EQ(ChartNumber(1.066, ChartUnit::kRatio), "1.07");
  EXPECT_EQ(ChartNumber(std::nan(""), ChartUnit::kMs), "unknown");
  EXPECT_EQ(ChartTime(kTime), "2026-01-01 12:00");
}

// The colours of a theme by their names, from the style's text.
std::map<std::string, std::string> ColoursAfter(std::string_view style, size_t at) {
  std::map<std::string, std::string> colours;
  const std::string_view block = style.substr(at, style.find('}', at) - at);
  for (size_t i = block.find("--chart-"); i != std::string_view::npos; i = block.find("--chart-", i + 1)) {
    const size_t colon = block.find(':', i);
    colours[std::string(block.substr(i + 8, colon - i - 8))] = std::string(block.substr(colon + 1, 7));
  }
  return colours;
}

double Luminance(const std::string& colour) {
  double parts[3];
  for (int i = 0; i < 3; ++i) {
    const double value = std::stoi(colour.substr(static_cast<size_t>(1 + 2 * i), 2), nullptr, 16) / 255.0;
    parts[i] = value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  }
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}

// WCAG 2.2, "contrast ratio".
double Contrast(const std::string& a, const std::string& b) {
  const double first = Luminance(a), second = Luminance(b);
  return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

TEST(Charts, EveryColourStandsOutFromThePaperInBothThemes) {
  const std::string_view style = ChartStyle();
  size_t themes = 0;
  std::map<std::string, std::string> dark;
  for (size_t at = style.find("--chart-paper:"); at != std::string_view::npos;
       at = style.find("--chart-paper:", at + 1)) {
    const auto colours = ColoursAfter(style, at);
    ASSERT_EQ(colours.size(), 4 + kMostSeries);
    for (const auto& [name, colour] : colours) {
      if (name == "paper" || name == "rule") continue;
      EXPECT_GE(Contrast(colour, colours.at("paper")), 4.5) << name << " " << colour;
    }
    if (++themes == 2) dark = colours;
    if (themes == 3) {
      EXPECT_EQ(colours, dark) << "chosen, or by the reader's system";
    }
  }
  EXPECT_EQ(themes, 3u);
}

}  // namespace
}  // namespace trawl
