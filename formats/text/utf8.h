// UTF-8: whether bytes are it, and the nearest text where they are not.
//
// Ill-formed sequences become one U+FFFD for each maximal subpart (Unicode 3.9, the WHATWG decoder's practice). Pure;
// any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace trawl {

// How many bytes at the front are well-formed UTF-8.
size_t ValidUtf8Prefix(std::string_view bytes);

// How many bytes at the front are ASCII.
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

// Appends one code point; surrogates and what is beyond U+10FFFF come out as U+FFFD.
void AppendCodePoint(uint32_t code_point, std::string* out);

}  // namespace trawl
