// Mends small mistakes that would end the reading of an XML document from the web at once, though its meaning is plain:
// an '&' that begins no reference ("?a=1&b=2"), control characters, and bytes that are not UTF-8 in a document that is.
// An '&' in a CDATA section stays as it is. For documents in an encoding whose ASCII bytes are ASCII. For one thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trawl {

class XmlMender {
 public:
  explicit XmlMender(bool is_utf8) : is_utf8_(is_utf8) {}

  // The document's next bytes, mended, except for a few that wait for the next piece. The result lives until the next
  // call and is up to five times as long as `piece`.
  std::string_view Mend(std::string_view piece);
  // The bytes that still wait.
  std::string_view Finish();

 private:
  std::string_view Run(bool is_last);
  // Each appends the text at `at` and returns its number of bytes; 0 where more must be seen first.
  size_t TakeMarkup(size_t at, bool is_last);
  size_t TakeAmpersand(size_t at, bool is_last);
  size_t TakeHighBytes(size_t at, bool is_last);

  const bool is_utf8_;
  bool in_cdata_ = false;
  std::string input_;
  std::string out_;
};

}  // namespace trawl
