// The indexes of the WHATWG Encoding Standard (section 5): which character a pointer, a row and cell counted through,
// stands for. Made of ICU's converters once, with the cells mended where their tables are not the standard's. Pure; any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace trawl {

class CharsetIndex {
 public:
  // The character at `pointer`; 0 where the index has none.
  uint32_t At(size_t pointer) const { return pointer < characters_.size() ? characters_[pointer] : 0; }

  static const CharsetIndex& Big5();
  static const CharsetIndex& EucKr();
  static const CharsetIndex& Gb18030();
  // With the extensions of IBM and NEC, and at 8,836 to 10,715 what Shift_JIS alone has: private use.
  static const CharsetIndex& Jis0208();
  static const CharsetIndex& Jis0212();

 private:
  explicit CharsetIndex(std::vector<uint32_t> characters) : characters_(std::move(characters)) {}

  std::vector<uint32_t> characters_;
};

}  // namespace trawl
