// The door of jobs/widgets: HTML that is safe by its type: a Markup is made of literals of this program and of escaped text, of nothing else. Pure.
//
// Text of the crawl goes through Foreign, which also keeps its direction of writing to itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/process/clock.h"

namespace trawl {

class Markup {
 public:
  Markup() = default;
  // A literal, as it stands.
  template <size_t kSize>
  Markup(const char (&literal)[kSize]) : html_(literal, kSize - 1) {}  // NOLINT(google-explicit-constructor)

  // REQUIRES: `html` was made by a function that escapes.
  static Markup Made(std::string html);

  const std::string& html() const { return html_; }
  bool empty() const { return html_.empty(); }

  Markup& operator+=(const Markup& other) {
    html_ += other.html_;
    return *this;
  }
  friend Markup operator+(Markup a, const Markup& b) {
    a += b;
    return a;
  }

 private:
  std::string html_;
};

// Escaped, for an element or a quoted attribute (formats/charts/escape.h).
Markup Text(std::string_view text);
// The same for bytes of the web: isolated from the direction of the text around, and broken where the line ends.
Markup Foreign(std::string_view text);
Markup Number(int64_t count);
// "3 pages", "1 page".
Markup Counted(int64_t count, std::string_view noun);
Markup Decimal(double value, int digits);
Markup Bytes(int64_t bytes);
// "3 min 20 s": rounded, for people.
Markup Span(int64_t duration_ms);
// With two decimals below a minute: "1.9 s". For pauses, which are compared with a delay.
std::string ExactDuration(int64_t duration_ms);
Markup ExactSpan(int64_t duration_ms);
// An id of ours, on one line.
Markup Id(std::string_view id);
// An exact <time> in UTC; nothing for 0 and never.
Markup At(TimeMs time_ms);
// The same, and how far it is from now: "2026-01-01 12:00:00 (3 h ago)".
Markup AtWithAge(TimeMs time_ms, TimeMs now_ms);
// "in 3 h", with the exact time in its attributes. For narrow columns.
Markup RelativeTime(TimeMs time_ms, TimeMs now_ms);
// "in 3 h", "3 h ago".
std::string AgeText(TimeMs time_ms, TimeMs now_ms);

// A link within these pages. `target` is escaped here.
Markup Link(std::string_view target, const Markup& label);
Markup LinkTo(std::string_view target, std::string_view label);
// A crawled URL, cut where it is long, with a link to the page that explains it; no link where it is not of the web.
Markup UrlLink(std::string_view url);
Markup HostLink(std::string_view host);
Markup SegmentLink(std::string_view segment);
// The crawled URL itself, to be opened: a link only for http and https, which tells the other site nothing.
Markup OutwardLink(std::string_view url);

// A message beside what it is about. The kind is in words, too: colour alone tells nothing.
enum class NoteKind { kPlain, kGood, kWarning, kBad };
Markup Badge(NoteKind kind, std::string_view text);
Markup Note(NoteKind kind, const Markup& text);

// A pair per line; values that are empty are left out.
class FactList {
 public:
  void Add(std::string_view name, const Markup& value);
  bool empty() const { return rows_.empty(); }
  Markup Finish() const;

 private:
  Markup rows_;
};

// Numbers at the top of a page.
struct Tile {
  std::string_view name;
  Markup value;
  Markup about;
};
Markup Tiles(const std::vector<Tile>& tiles);

// A section with a heading, which links can point to.
Markup Section(std::string_view id, std::string_view heading, const Markup& body);

}  // namespace trawl
