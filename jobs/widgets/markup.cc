#include "jobs/widgets/markup.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "formats/answers/target.h"
#include "formats/charts/escape.h"
#include "formats/rows/times.h"
#include "runtime/terminal/timestamp.h"
#include "runtime/terminal/units.h"

namespace trawl {

namespace {

bool IsOfTheWeb(std::string_view url) { return url.starts_with("http://") || url.starts_with("https://"); }

const char* ClassOf(NoteKind kind) {
  switch (kind) {
    case NoteKind::kGood:
      return "good";
    case NoteKind::kWarning:
      return "warning";
    case NoteKind::kBad:
      return "bad";
    case NoteKind::kPlain:
      break;
  }
  return "plain";
}

}  // namespace

Markup Markup::Made(std::string html) {
  Markup markup;
  markup.html_ = std::move(html);
  return markup;
}

Markup Text(std::string_view text) { return Markup::Made(EscapeHtml(text)); }

Markup Foreign(std::string_view text) { return text.empty() ? Markup() : "<bdi>" + Text(text) + "</bdi>"; }

Markup Number(int64_t count) { return Text(ReadableCount(count)); }
Markup Counted(int64_t count, std::string_view noun) { return Text(ReadableCount(count, noun)); }

Markup Decimal(double value, int digits) {
  std::array<char, 64> text{};
  if (!std::isfinite(value) || std::abs(value) > 1e15) return "–";
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, digits).ptr;
  return Text(std::string_view(text.data(), static_cast<size_t>(end - text.data())));
}

Markup Id(std::string_view id) { return "<span class=\"id\">" + Text(id) + "</span>"; }
Markup Bytes(int64_t bytes) { return Text(ReadableSize(std::max<int64_t>(bytes, 0))); }
Markup Span(int64_t duration_ms) { return Text(ReadableDuration(std::max<int64_t>(duration_ms, 0))); }

std::string ExactDuration(int64_t duration_ms) {
  if (duration_ms < kSecondMs || duration_ms >= kMinuteMs) return ReadableDuration(std::max<int64_t>(duration_ms, 0));
  // Cut, not rounded: a pause of 1.999 s is shorter than 2 s.
  std::string text = FormatDecimal(duration_ms / 10, 2);
  return text + " s";
}
Markup ExactSpan(int64_t duration_ms) { return Text(ExactDuration(duration_ms)); }

Markup At(TimeMs time_ms) {
  if (time_ms == 0 || time_ms == kNever) return {};
  const std::string exact = FormatTimestamp(time_ms);
  // A year outside 0 to 9999 has no form that <time> takes.
  if (exact.size() < 20 || exact[10] != 'T') return Text(exact);
  return "<time datetime=\"" + Text(exact) + "\">" + Text(exact.substr(0, 10)) + " " + Text(exact.substr(11, 8)) +
         "</time>";
}

Markup RelativeTime(TimeMs time_ms, TimeMs now_ms) {
  const std::string exact = FormatTimestamp(time_ms);
  if (time_ms == 0 || time_ms == kNever || exact.size() < 20 || exact[10] != 'T') return At(time_ms);
  return "<time datetime=\"" + Text(exact) + "\" title=\"" + Text(exact) + "\">" + Text(AgeText(time_ms, now_ms)) +
         "</time>";
}

std::string AgeText(TimeMs time_ms, TimeMs now_ms) {
  constexpr int64_t kSameMs = 1'000;
  if (std::abs(time_ms - now_ms) < kSameMs) return "now";
  return time_ms > now_ms ? "in " + ReadableDuration(time_ms - now_ms) : ReadableDuration(now_ms - time_ms) + " ago";
}

Markup AtWithAge(TimeMs time_ms, TimeMs now_ms) {
  if (time_ms == 0 || time_ms == kNever) return {};
  return At(time_ms) + " <span class=\"quiet\">(" + Text(AgeText(time_ms, now_ms)) + ")</span>";
}

Markup Link(std::string_view target, const Markup& label) {
  return "<a href=\"" + Text(target) + "\">" + label + "</a>";
}
Markup LinkTo(std::string_view target, std::string_view label) { return Link(target, Text(label)); }

Markup UrlLink(std::string_view url) {
  constexpr size_t kMostShown = 160;  // characters; the link has all of it
  if (!IsOfTheWeb(url)) return Foreign(ShortText(url, kMostShown));
  return Link("/url?url=" + PercentEncoded(url), Foreign(ShortText(url, kMostShown)));
}
Markup HostLink(std::string_view host) {
  return host.empty() ? Markup() : Link("/hosts/" + PercentEncoded(host), Foreign(host));
}
Markup SegmentLink(std::string_view segment) {
  return segment.empty() ? Markup() : Link("/rounds/" + PercentEncoded(segment), Id(segment));
}

Markup OutwardLink(std::string_view url) {
  if (!IsOfTheWeb(url)) return Foreign(url);
  return "<a href=\"" + Text(url) + "\" rel=\"noreferrer noopener nofollow\">" + Foreign(url) + "</a>";
}

Markup Badge(NoteKind kind, std::string_view text) {
  return "<span class=\"badge " + Text(ClassOf(kind)) + "\">" + Text(text) + "</span>";
}

Markup Note(NoteKind kind, const Markup& text) {
  return "<p class=\"note " + Text(ClassOf(kind)) + "\">" + text + "</p>\n";
}

void FactList::Add(std::string_view name, const Markup& value) {
  if (value.empty()) return;
  rows_ += "<div><dt>" + Text(name) + "</dt><dd>" + value + "</dd></div>\n";
}

Markup FactList::Finish() const { return rows_.empty() ? Markup() : "<dl class=\"facts\">\n" + rows_ + "</dl>\n"; }

Markup Tiles(const std::vector<Tile>& tiles) {
  Markup list;
  for (const Tile& tile : tiles) {
    list += "<div><dt>" + Text(tile.name) + "</dt><dd>" + tile.value;
    if (!tile.about.empty()) list += " <small>" + tile.about + "</small>";
    list += "</dd></div>\n";
  }
  return "<dl class=\"tiles\">\n" + list + "</dl>\n";
}

Markup Section(std::string_view id, std::string_view heading, const Markup& body) {
  return "<section aria-labelledby=\"" + Text(id) + "\">\n<h2 id=\"" + Text(id) + "\">" + Text(heading) + "</h2>\n" +
         body + "</section>\n";
}

}  // namespace trawl
