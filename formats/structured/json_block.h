// Reads a block of JSON from a page: strictly, and if that fails, once more with repairs. For the sources of
// formats/structured. Pure; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "formats/structured/value.h"

namespace trawl {

inline constexpr size_t kMostBlockBytes = 1 << 20;
// A block of a page for people has some thousands.
inline constexpr size_t kMostBlockValues = 100'000;

struct JsonBlock {
  // Nothing if the block cannot be read. Members are in normal order.
  std::optional<ItemValue> value;
  // The repairs that the block needed, one space apart and in this order:
  //   blanks     a byte order mark, blanks that JSON does not know, or control characters between its parts
  //   wrapper    <!-- -->, <![CDATA[ ]]> around the value, each with or without a comment around it
  //   semicolon  ; after the value
  //   controls   raw control characters inside strings, such as line feeds
  //   commas     a comma after the last element or member
  //   comments   // to the end of a line, /* */ and <!-- --> outside strings
  //   first      anything else after the value, which is left out
  std::string repaired;
  // Why it cannot be read, and where; empty if it can.
  std::string problem;
};

// A block that is valid JSON (RFC 8259) is never repaired. Half of a surrogate pair in an escape becomes U+FFFD.
// REQUIRES: `utf8` is well-formed UTF-8. Never fails.
JsonBlock ReadJsonBlock(std::string_view utf8);

}  // namespace trawl
