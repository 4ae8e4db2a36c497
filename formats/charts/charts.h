// The door of formats/charts: pictures of numbers as HTML figures with SVG in them, for reports and pages.
//
// A chart is a pure function of its values: the same values give the same bytes. It has classes in the place of style
// attributes and no script, so that a page with a strict Content-Security-Policy may have it; its looks are ChartStyle().
// Each is `<figure class="chart">`: an svg with role img, title and description; a legend where there are several series;
// and all its numbers in a table inside of <details>. A series has a colour and a pattern or a dash of its own. A chart
// without numbers says so in a sentence.
//
// Its size is bounded: what has more points than kMostPoints is thinned out, and says so. Times are UTC. Labels and titles
// are escaped here; the caller passes plain text. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trawl {

// Of a line or a stack; with many series fewer. The table of numbers has as many rows.
inline constexpr size_t kMostPoints = 168;  // the hours of a week
// Of a chart of bars, and of one of dots.
inline constexpr size_t kMostBars = 40;
inline constexpr size_t kMostDots = 100;
// Characters of a label: what sites have named must not make a page long.
inline constexpr size_t kMostLabelText = 48;
// A chart has at most so many series; the caller sums up the rest.
inline constexpr size_t kMostSeries = 10;

struct ChartText {
  std::string id;           // unique on its page: small letters, digits and "-"
  std::string title;        // "Pages per minute"
  std::string description;  // a sentence for those who do not see it, and under the title for those who do
};

enum class ChartUnit {
  kCount,      // 1,234; on an axis 1.2 k
  kBytes,      // 3.4 MiB
  kMs,         // 250 ms, 3 s, 2 h
  kPercent,    // values from 0 to 100
  kPerSecond,  // 12.3/s
  kRatio,      // 1.07
};

struct ChartSeries {
  std::string label;
  std::vector<double> values;  // as many as the chart has times; NaN where it is not known
};

// A line across a chart, with words: "limit 5 s", "p99 1.2 s".
struct ChartMark {
  std::string label;
  double value = 0;
};

// What stands for several neighbouring points where there are too many.
enum class Thinning { kMean, kLast };

struct TimeChart {
  ChartText text;
  ChartUnit unit = ChartUnit::kCount;
  std::vector<int64_t> at_ms;  // ascending
  std::vector<ChartSeries> series;
  std::vector<ChartMark> marks;
  Thinning thinning = Thinning::kMean;
};

// A line per series over the time.
std::string LineChart(const TimeChart& chart);
// The series on top of each other over the time, the first at the bottom.
std::string AreaChart(const TimeChart& chart);
// The same with a bar per time, in even distances: rounds, for example.
std::string StackedBarChart(const TimeChart& chart);

struct HistogramChart {
  struct Bucket {
    double upper = 0;  // infinity in the last one, where it has no bound
    int64_t count = 0;
  };
  ChartText text;
  ChartUnit unit = ChartUnit::kMs;
  std::vector<Bucket> buckets;   // ascending
  std::vector<ChartMark> marks;  // quantiles and limits, at their place among the buckets
};

std::string Histogram(const HistogramChart& chart);

struct BarsChart {
  struct Bar {
    std::string label;
    double value = 0;
    std::string note;        // after the value: "12 answers"
    bool is_marked = false;  // worth a look: another pattern, and `mark_text` in words
  };
  ChartText text;
  ChartUnit unit = ChartUnit::kCount;
  std::string label_name = "name";  // heads of the table's columns
  std::string value_name = "value";
  std::string mark_text;  // what a marked bar is: "ran twice as long as the median"
  std::vector<Bar> bars;  // in the order in which they are shown
};

// Horizontal bars, each under its label.
std::string BarChart(const BarsChart& chart);

struct DotsChart {
  struct Dot {
    std::string label;
    double x = 0;
    double y = 0;
    bool is_wrong = false;  // a cross in the place of a dot
  };
  ChartText text;
  std::string x_name, y_name;  // "requests", "smallest gap / delay"
  ChartUnit x_unit = ChartUnit::kCount, y_unit = ChartUnit::kRatio;
  std::vector<Dot> dots;         // wrong ones are never thinned out before the others
  std::vector<ChartMark> marks;  // horizontal
};

// Dots over two logarithmic axes.
std::string DotChart(const DotsChart& chart);

struct ShareChart {
  ChartText text;
  std::string whole;  // "hosts": what the values belong to
  std::string part;   // "pages": what they count
  struct Group {
    int64_t value = 0;  // that each of them has
    int64_t count = 0;  // how many of them there are
  };
  std::vector<Group> groups;  // in any order
};

// Which share of the whole the largest ones have: 10 % of the hosts have 60 % of the pages.
std::string ShareCurve(const ShareChart& chart);

// A value as the tables of charts show it: "1,234", "3.4 MiB", "250 ms", "12.5 %"; "unknown" for NaN.
std::string ChartNumber(double value, ChartUnit unit);
// "2026-11-19 22:05" in UTC.
std::string ChartTime(int64_t at_ms);

// The style of all charts: custom properties with the colours, for a light and a dark page, and the rules that use them.
// A page that has a theme of its own sets `data-theme="light"` or `"dark"` on its html element.
std::string_view ChartStyle();

}  // namespace trawl
