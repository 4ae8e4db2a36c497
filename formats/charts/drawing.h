// The drawing inside of a chart: SVG elements at places of a canvas, and the figure around it with title, legend and
// table. Pure; one thread per object.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "formats/charts/axis.h"
#include "formats/charts/charts.h"

namespace trawl {

// All charts have this width in units of their own; a page makes them as wide as it likes.
inline constexpr double kChartWidth = 480;

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

struct Point {
  double x = 0, y = 0;
};

// The style of words over a drawing.
inline constexpr std::string_view kNote = "note";

enum class Anchor { kStart, kMiddle, kEnd };

// Appends elements. Numbers are cut to a tenth: that is less than a pixel.
class Drawing {
 public:
  // `id` is the chart's: patterns are named after it.
  explicit Drawing(std::string id) : id_(std::move(id)) {}

  void Line(std::string_view style, Point from, Point to);
  void Rectangle(std::string_view style, std::string_view attributes, const Box& box, std::string_view tooltip = {});
  // A line through the points; points after a gap begin anew.
  void Path(std::string_view style, std::string_view attributes, const std::vector<std::vector<Point>>& lines,
            bool closed);
  void Dot(std::string_view style, Point at, double radius, std::string_view tooltip = {});
  void Cross(std::string_view style, Point at, double radius, std::string_view tooltip = {});
  void Text(std::string_view style, Anchor anchor, Point at, std::string_view text);

  // The attribute that fills with the pattern of a series; the pattern is defined when it is first asked for.
  std::string Fill(size_t series);
  // The attribute that dashes the line of a series.
  static std::string Dash(size_t series);

  // Axes with their ticks, lines across the box and names.
  void Across(const Axis& axis, const Box& box);                       // the values, on the left
  void Along(const Axis& axis, const Box& box);                        // below
  void Mark(const ChartMark& mark, const Axis& axis, const Box& box);  // a horizontal line

  // The svg element.
  std::string Svg(const ChartText& text, double height) const;

 private:
  void Title(std::string_view tooltip, std::string_view element);

  std::string id_;
  std::string patterns_;
  std::vector<bool> has_pattern_;
  std::string body_;
};

// The table of numbers below a chart.
struct ChartTable {
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;  // the first cell names the row; plain text
  std::string note;                            // "each row stands for 9 minutes"
};

struct LegendItem {
  std::string swatch;  // markup
  std::string text;    // plain
};
// How a series looks, for the legend.
std::string FilledSwatch(const std::string& chart_id, size_t series);
std::string LineSwatch(size_t series);
std::string MarkSwatch();
std::string CrossSwatch();

std::string Figure(const ChartText& text, const std::string& svg, const std::vector<LegendItem>& legend,
                   const ChartTable& table);
// The figure of a chart without numbers.
std::string EmptyFigure(const ChartText& text);

}  // namespace trawl
