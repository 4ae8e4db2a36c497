// The lines of a robots.txt (RFC 9309 section 2.2): the key, the value and the line's number. robots.h decides what the
// lines mean together. Pure; a RobotsLines belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace trawl {

// RFC 9309 section 2.5: "The parsing limit MUST be at least 500 kibibytes".
inline constexpr size_t kRobotsMaxBytes = 500 * 1024;

enum class RobotsKey { kOther, kUserAgent, kAllow, kDisallow, kCrawlDelay, kSitemap, kContentSignal };

struct RobotsLine {
  RobotsKey key = RobotsKey::kOther;
  std::string_view value;  // without white space around it and without a comment
  std::string_view text;   // the whole line without its end
  uint32_t number = 0;     // from 1; CR, LF and CR LF each end a line
};

// Reads the lines whose key is known, one by one. In a file of kRobotsMaxBytes or more it reads the whole lines within
// that limit. A byte order mark, or the beginning of one, is skipped.
class RobotsLines {
 public:
  // `file` must outlive the object and its lines.
  explicit RobotsLines(std::string_view file);
  // False at the end.
  bool Next(RobotsLine* line);

 private:
  // The next line, whatever it says.
  bool NextText(std::string_view* text);

  std::string_view rest_;
  uint32_t number_ = 0;
  // The places of the next LF and CR in rest_, so that a file with only one kind is not searched again for the other.
  const char* next_lf_ = nullptr;
  const char* next_cr_ = nullptr;
};

// `text` without space, tab, vertical tab and form feed at both ends.
std::string_view TrimRobotsSpace(std::string_view text);

}  // namespace trawl
