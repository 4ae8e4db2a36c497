// Where a list goes on: the snapshot that it is of, and the place of the row after the last one that was given out. Pure; any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trawl {

struct Cursor {
  int64_t snapshot = 0;
  uint32_t slot = 0;
  std::string key;
  bool operator==(const Cursor&) const = default;
};

// base64url of "snapshot slot key"; the key is the rest, whatever its bytes.
std::string TextOf(const Cursor& cursor);
// Nothing where it is not what TextOf writes.
std::optional<Cursor> ParseCursor(std::string_view text);

}  // namespace trawl
