// Names of elements as cost.cc compares them, and their effect on the depth of a page: for that source alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace trawl {

// The last eight letters of a tag name as a number, so that one comparison tells whether names are equal. Digits end
// the name.
constexpr uint64_t Packed(std::string_view name) {
  uint64_t packed = 0;
  for (const char c : name) packed = packed << 8 | static_cast<uint8_t>(c);
  return packed;
}

// The packed name that begins at `at`, whatever its case.
uint64_t PackedNameAt(std::string_view html, size_t at);

// Elements that have no content, that end where the next of their kind begins, or that occur once.
bool DeepensNothing(uint64_t name);

// Elements whose attributes gumbo adds to those of the first of their kind. gumbo compares each attribute with all.
bool MergesAttributes(uint64_t name);

bool IsForeign(uint64_t name);

// Elements of SVG and MathML in which HTML begins again.
bool IsIntegrationPoint(uint64_t name);

// HTML elements that end any SVG and MathML around them (HTML Standard 13.2.6.5); `tag` is the whole start tag.
bool LeavesForeignContent(uint64_t name, std::string_view tag);

// The element's name if its content is text, else empty.
std::string_view RawTextName(uint64_t name);

}  // namespace trawl
