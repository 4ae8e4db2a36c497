// Text as a person reads it: white space is collapsed, and lines break where blocks begin and end. For the sources of
// formats/html. An object belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace trawl {

class CollapsedText {
 public:
  explicit CollapsedText(size_t max_bytes) : max_bytes_(max_bytes) {}

  // HTML's white space and no-break spaces separate words. A line feed does no more than that, unless it breaks the
  // line.
  void Append(std::string_view utf8, bool line_feeds_break = false);
  void Space();
  void Break();

  // The length of the text so far, without the white space that may follow.
  size_t size() const { return text_.size(); }
  // Returns the text so far, without white space at its ends. The object then starts anew.
  std::string Take();
  // The number of bytes that did not fit, over all texts.
  uint64_t cut_bytes() const { return cut_bytes_; }

 private:
  void AppendRun(std::string_view run);

  size_t max_bytes_;
  std::string text_;
  uint64_t cut_bytes_ = 0;
  enum class Gap : uint8_t { kNone, kSpace, kLine } gap_ = Gap::kNone;
};

// The whole `utf8`, collapsed to one line.
std::string Collapsed(std::string_view utf8, size_t max_bytes);

}  // namespace trawl
