// Names of elements as html_cost.cc compares them, and what they do to the depth of a page: for that source alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace trawl {

// The last eight letters of a tag name as a number, so that a name is compared at once. Digits end it.
constexpr uint64_t Packed(std::string_view name) {
  uint64_t packed = 0;
  for (const char c : name) packed = packed << 8 | static_cast<uint8_t>(c);
  return packed;
}

// The name that begins at `at`, without regard to case.
uint64_t PackedNameAt(std::string_view html, size_t at);

// Elements that have no content, that the next of their kind ends, or that are there once.
bool DeepensNothing(uint64_t name);

// Elements whose attributes gumbo adds to those of the first of their kind, comparing each with all.
bool MergesAttributes(uint64_t name);

bool IsForeign(uint64_t name);

// Elements of SVG and MathML whose content is HTML again.
bool IsIntegrationPoint(uint64_t name);

// Elements of HTML that end any SVG and MathML around them (HTML Standard 13.2.6.5); `tag` is all of the start tag.
bool LeavesForeignContent(uint64_t name, std::string_view tag);

// The element's name where its content is text, else empty.
std::string_view RawTextName(uint64_t name);

}  // namespace trawl
