// The lines of a text with their numbers, for files that people write: rules and lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace trawl {

// A line ends with LF, CRLF or CR. A byte order mark at the beginning is skipped.
class TextLines {
 public:
  explicit TextLines(std::string_view text) : rest_(text) {
    if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);
  }

  // The next line without its end; false after the last line.
  bool Next(std::string_view* line) {
    if (rest_.empty()) return false;
    const size_t end = rest_.find_first_of("\r\n");
    *line = rest_.substr(0, end);
    if (end == std::string_view::npos) {
      rest_ = {};
    } else {
      rest_.remove_prefix(end + (rest_.substr(end).starts_with("\r\n") ? 2 : 1));
    }
    ++number_;
    return true;
  }

  // The number of the line that Next gave, counted from 1.
  uint32_t number() const { return number_; }

 private:
  std::string_view rest_;
  uint32_t number_ = 0;
};

}  // namespace trawl
