// The loop shared by all decoders of multi-byte encodings in which ASCII bytes are ASCII. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "formats/text/utf8.h"

namespace trawl {

// Calls `take` for each sequence that begins with a byte beyond ASCII. `take` appends the characters of the bytes at
// the front of its argument and returns the number of these bytes.
template <typename Take>
void DecodeSequences(std::string_view bytes, std::string* out, const Take& take) {
  out->reserve(out->size() + bytes.size() + bytes.size() / 2);
  while (true) {
    const size_t ascii = AsciiPrefix(bytes);
    out->append(bytes.substr(0, ascii));
    bytes.remove_prefix(ascii);
    if (bytes.empty()) return;
    bytes.remove_prefix(take(bytes));
  }
}

}  // namespace trawl
