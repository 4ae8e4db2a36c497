// UTF-8: checks whether bytes are well-formed, and repairs them where they are not.
//
// Each maximal subpart of an ill-formed sequence becomes one U+FFFD (Unicode 3.9, the WHATWG decoder's practice). Pure;
// any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace trawl {

// The number of bytes at the front that are well-formed UTF-8.
size_t ValidUtf8Prefix(std::string_view bytes);

// The number of bytes at the front that are ASCII.
size_t AsciiPrefix(std::string_view bytes);

struct Utf8Census {
  // Well-formed sequences of two bytes and more.
  size_t multibyte = 0;
  // Ill-formed sequences; one that the end of the input cuts off is not counted.
  size_t broken = 0;
};
Utf8Census CountUtf8(std::string_view bytes);

// Appends `bytes` as well-formed UTF-8.
void AppendRepairedUtf8(std::string_view bytes, std::string* out);
std::string RepairedUtf8(std::string_view bytes);

// Appends one code point. Surrogates and code points beyond U+10FFFF become U+FFFD.
void AppendCodePoint(uint32_t code_point, std::string* out);

}  // namespace trawl
