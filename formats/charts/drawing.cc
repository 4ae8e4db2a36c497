#include "formats/charts/drawing.h"

#include <array>
#include <cmath>

#include "formats/charts/escape.h"
#include "formats/charts/numbers.h"

namespace trawl {

namespace {

std::string At(double value) { return Decimals(value, 1); }

std::string Class(std::string_view style) { return " class=\"" + std::string(style) + "\""; }

std::string Attributes(std::string_view attributes) { return attributes.empty() ? "" : " " + std::string(attributes); }

const char* TextOf(Anchor anchor) {
  switch (anchor) {
    case Anchor::kStart:
      return "start";
    case Anchor::kMiddle:
      return "middle";
    case Anchor::kEnd:
      break;
  }
  return "end";
}

// What lies over the colour of a series, on a tile of 8 by 8: the first is plain.
constexpr std::array<const char*, kMostSeries> kTextures = {"",
                                                            "M-2 2L2-2M0 8L8 0M6 10L10 6",
                                                            "M2 2h2M6 6h2",
                                                            "M0 2h8M0 6h8",
                                                            "M-2 6L2 10M0 0L8 8M6-2L10 2",
                                                            "M2 0v8M6 0v8",
                                                            "M0 4h8M4 0v8",
                                                            "M0 0L8 8M0 8L8 0",
                                                            "M1 1h3v3h-3z",
                                                            "M0 4h8"};
constexpr std::array<const char*, kMostSeries> kDashes = {"",    "6 3", "2 3",         "9 3 2 3", "12 4",
                                                          "4 4", "1 2", "8 2 2 2 2 2", "3 6",     "14 3 4 3"};

std::string SeriesClass(size_t series) { return "s" + std::to_string(series % kMostSeries + 1); }

std::string PatternId(const std::string& chart_id, size_t series) {
  return chart_id + "-f" + std::to_string(series % kMostSeries + 1);
}

}  // namespace

// Ends an element, with a tooltip where there is one.
void Drawing::Title(std::string_view tooltip, std::string_view element) {
  if (tooltip.empty()) {
    body_ += "/>";
    return;
  }
  body_ += "><title>" + EscapeHtml(tooltip) + "</title></" + std::string(element) + ">";
}

void Drawing::Line(std::string_view style, Point from, Point to) {
  body_ += "<path" + Class(style) + " d=\"M" + At(from.x) + " " + At(from.y) + "L" + At(to.x) + " " + At(to.y) + "\"/>";
}

void Drawing::Rectangle(std::string_view style, std::string_view attributes, const Box& box, std::string_view tooltip) {
  body_ += "<rect" + Class(style) + Attributes(attributes) + " x=\"" + At(box.left) + "\" y=\"" + At(box.top) +
           "\" width=\"" + At(box.width()) + "\" height=\"" + At(box.height()) + "\"";
  Title(tooltip, "rect");
}

void Drawing::Path(std::string_view style, std::string_view attributes, const std::vector<std::vector<Point>>& lines,
                   bool closed) {
  std::string path;
  for (const std::vector<Point>& line : lines) {
    char command = 'M';
    for (const Point& point : line) {
      path += command + At(point.x) + " " + At(point.y);
      command = 'L';
    }
    if (closed && !line.empty()) path += "z";
  }
  if (!path.empty()) body_ += "<path" + Class(style) + Attributes(attributes) + " d=\"" + path + "\"/>";
}

void Drawing::Dot(std::string_view style, Point at, double radius, std::string_view tooltip) {
  body_ += "<circle" + Class(style) + " cx=\"" + At(at.x) + "\" cy=\"" + At(at.y) + "\" r=\"" + At(radius) + "\"";
  Title(tooltip, "circle");
}

void Drawing::Cross(std::string_view style, Point at, double radius, std::string_view tooltip) {
  const std::string arm = At(2 * radius);
  body_ += "<path" + Class(style) + " d=\"M" + At(at.x - radius) + " " + At(at.y - radius) + "l" + arm + " " + arm +
           "m0 -" + arm + "l-" + arm + " " + arm + "\"";
  Title(tooltip, "path");
}

void Drawing::Text(std::string_view style, Anchor anchor, Point at, std::string_view text) {
  const std::string rest = " x=\"" + At(at.x) + "\" y=\"" + At(at.y) + "\" text-anchor=\"" + TextOf(anchor) + "\">" +
                           EscapeHtml(text) + "</text>";
  // Words that lie over lines have the paper around them.
  if (style == kNote) body_ += "<text" + Class("halo") + rest;
  body_ += "<text" + Class(style) + rest;
}

std::string Drawing::Fill(size_t series) {
  series %= kMostSeries;
  if (series == 0) return "";
  has_pattern_.resize(kMostSeries);
  if (!has_pattern_[series]) {
    has_pattern_[series] = true;
    patterns_ += "<pattern id=\"" + PatternId(id_, series) +
                 "\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\"><rect class=\"" + SeriesClass(series) +
                 "\" width=\"8\" height=\"8\"/><path class=\"over\" d=\"" + kTextures[series] + "\"/></pattern>";
  }
  return "fill=\"url(#" + PatternId(id_, series) + ")\"";
}

std::string Drawing::Dash(size_t series) {
  series %= kMostSeries;
  return series == 0 ? "" : std::string("stroke-dasharray=\"") + kDashes[series] + "\"";
}

void Drawing::Across(const Axis& axis, const Box& box) {
  for (const Tick& tick : axis.ticks) {
    const double y = box.bottom - axis.Place(tick.value) * box.height();
    Line("grid", {box.left, y}, {box.right, y});
    Text("tick", Anchor::kEnd, {box.left - 6, y + 4}, tick.label);
  }
}

void Drawing::Along(const Axis& axis, const Box& box) {
  Line("axis", {box.left, box.bottom}, {box.right, box.bottom});
  for (const Tick& tick : axis.ticks) {
    const double place = axis.Place(tick.value), x = box.left + place * box.width();
    Line("axis", {x, box.bottom}, {x, box.bottom + 4});
    // A label at the right end would be cut off by the edge of the canvas.
    const Anchor anchor = place > 0.96 ? Anchor::kEnd : Anchor::kMiddle;
    const double shift = anchor == Anchor::kEnd ? kChartWidth - 2 : x;
    Text("tick", anchor, {shift, box.bottom + 18}, tick.label);
    if (!tick.second.empty()) Text("tick", anchor, {shift, box.bottom + 35}, tick.second);
  }
}

void Drawing::Mark(const ChartMark& mark, const Axis& axis, const Box& box) {
  const double y = box.bottom - axis.Place(mark.value) * box.height();
  Line("mark", {box.left, y}, {box.right, y});
  Text(kNote, Anchor::kEnd, {box.right, y < box.top + 20 ? y + 16 : y - 5}, mark.label);
}

std::string Drawing::Svg(const ChartText& text, double height) const {
  const std::string id = EscapeHtml(text.id);
  std::string svg = "<svg viewBox=\"0 0 " + At(kChartWidth) + " " + At(height) + "\" role=\"img\" aria-labelledby=\"" +
                    id + "-t\" aria-describedby=\"" + id + "-d\"><title id=\"" + id + "-t\">" + EscapeHtml(text.title) +
                    "</title><desc id=\"" + id + "-d\">" + EscapeHtml(text.description) + "</desc>";
  if (!patterns_.empty()) svg += "<defs>" + patterns_ + "</defs>";
  return svg + body_ + "</svg>";
}

}  // namespace trawl
