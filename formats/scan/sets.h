// Sets of elements that tree construction asks about (HTML Standard 13.2), with gumbo's members. Pure; any thread.
#pragma once

#include <cstdint>

namespace trawl {

enum HtmlSet : uint32_t {
  kSpecial = 1u << 0,
  // Elements that end the search for an element "in scope", and those for list item, button and table scope.
  kEndsScope = 1u << 1,
  kEndsListScope = 1u << 2,
  kEndsButtonScope = 1u << 3,
  kEndsTableScope = 1u << 4,
  kImpliedEnd = 1u << 5,
  kThoroughlyImpliedEnd = 1u << 6,
  // Tables and their parts. Content that may not stand in them is put in front of the table.
  kFosters = 1u << 7,
  kHeading = 1u << 8,
  kAddressDivP = 1u << 9,
  kEndsRow = 1u << 10,
  kEndsTableBody = 1u << 11,
  kOptions = 1u << 12,
  kDefinition = 1u << 13,
  // Elements of SVG and MathML in which HTML begins again: the standard's integration points.
  kHtmlPoint = 1u << 14,
  kMathPoint = 1u << 15,
  // Formatting elements that may have an entry in the list of active formatting elements.
  kFormatting = 1u << 16,
  // Elements that the look at the tags (markup/cost.h) never leaves open.
  kShallow = 1u << 17,
};

enum HtmlSpace : uint8_t { kHtmlSpace, kSvgSpace, kMathSpace };

// `tag` is a GumboTag.
uint32_t SetsOf(uint8_t tag, HtmlSpace space);

}  // namespace trawl
