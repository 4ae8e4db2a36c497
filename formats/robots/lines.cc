#include "formats/robots/lines.h"

#include <algorithm>
#include <cstring>

#include "formats/text/ascii.h"

namespace trawl {

namespace {

constexpr std::string_view kSpace = " \t\v\f";

// RFC 9309 defines the first three and does not allow guessing at them. It does for other records (section 2.2.4: "For
// example, crawlers may accept common misspellings of the record"), hence the other spellings.
RobotsKey KeyNamed(std::string_view name) {
  static constexpr struct {
    std::string_view name;
    RobotsKey key;
  } kNames[] = {
      {"allow", RobotsKey::kAllow},
      {"disallow", RobotsKey::kDisallow},
      {"user-agent", RobotsKey::kUserAgent},
      {"sitemap", RobotsKey::kSitemap},
      {"site-map", RobotsKey::kSitemap},
      {"sitemaps", RobotsKey::kSitemap},
      {"crawl-delay", RobotsKey::kCrawlDelay},
      {"crawldelay", RobotsKey::kCrawlDelay},
      {"crawl delay", RobotsKey::kCrawlDelay},
      {"content-signal", RobotsKey::kContentSignal},
      {"content-signals", RobotsKey::kContentSignal},
  };
  for (const auto& known : kNames) {
    if (EqualsIgnoringAsciiCase(name, known.name)) return known.key;
  }
  return RobotsKey::kOther;
}

// "key: value". Where there is no colon, "key value" with exactly two words counts as well. This common mistake is the
// only departure from the grammar that Google's parser and its published tests share.
bool SplitKeyAndValue(std::string_view line, std::string_view* key, std::string_view* value) {
  const size_t colon = line.find(':');
  if (colon != std::string_view::npos) {
    *key = TrimRobotsSpace(line.substr(0, colon));
    *value = TrimRobotsSpace(line.substr(colon + 1));
    return true;
  }
  line = TrimRobotsSpace(line);
  const size_t gap = line.find_first_of(kSpace);
  if (gap == std::string_view::npos) return false;
  *key = line.substr(0, gap);
  *value = TrimRobotsSpace(line.substr(gap));
  return value->find_first_of(kSpace) == std::string_view::npos;
}

std::string_view WithoutByteOrderMark(std::string_view file) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  size_t matching = 0;
  while (matching < kMark.size() && matching < file.size() && file[matching] == kMark[matching]) ++matching;
  return file.substr(matching);
}

std::string_view WholeLinesWithinLimit(std::string_view file) {
  // A file of exactly this size was most likely cut to it by whoever fetched it.
  if (file.size() < kRobotsMaxBytes) return file;
  const size_t last_end = file.substr(0, kRobotsMaxBytes).find_last_of("\r\n");
  return last_end == std::string_view::npos ? std::string_view() : file.substr(0, last_end + 1);
}

const char* FindOrEnd(const char* begin, const char* end, char c) {
  if (begin == end) return end;
  const void* found = std::memchr(begin, c, static_cast<size_t>(end - begin));
  return found == nullptr ? end : static_cast<const char*>(found);
}

}  // namespace

std::string_view TrimRobotsSpace(std::string_view text) { return TrimBytes(text, kSpace); }

RobotsLines::RobotsLines(std::string_view file) : rest_(WithoutByteOrderMark(WholeLinesWithinLimit(file))) {}

bool RobotsLines::NextText(std::string_view* text) {
  if (rest_.empty()) return false;
  const char* begin = rest_.data();
  const char* end = begin + rest_.size();
  if (next_lf_ == nullptr || next_lf_ < begin) next_lf_ = FindOrEnd(begin, end, '\n');
  if (next_cr_ == nullptr || next_cr_ < begin) next_cr_ = FindOrEnd(begin, end, '\r');
  const char* stop = std::min(next_lf_, next_cr_);
  *text = std::string_view(begin, static_cast<size_t>(stop - begin));
  const char* next = stop;
  if (next != end) next += (*next == '\r' && next + 1 != end && next[1] == '\n') ? 2 : 1;
  rest_ = std::string_view(next, static_cast<size_t>(end - next));
  ++number_;
  return true;
}

bool RobotsLines::Next(RobotsLine* line) {
  while (NextText(&line->text)) {
    std::string_view key;
    if (!SplitKeyAndValue(line->text.substr(0, line->text.find('#')), &key, &line->value)) continue;
    line->key = KeyNamed(key);
    if (line->key == RobotsKey::kOther) continue;
    line->number = number_;
    return true;
  }
  return false;
}

}  // namespace trawl
