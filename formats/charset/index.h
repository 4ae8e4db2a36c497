// The indexes of the WHATWG Encoding Standard (section 5): the character that a pointer (row and cell as one number)
// stands for. Built once from ICU's converters; cells where their tables differ from the standard's are corrected.
// Pure; any thread.
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
  // With the extensions of IBM and NEC, and at 8,836 to 10,715 the private use that only Shift_JIS has.
  static const CharsetIndex& Jis0208();
  static const CharsetIndex& Jis0212();

 private:
  explicit CharsetIndex(std::vector<uint32_t> characters) : characters_(std::move(characters)) {}

  std::vector<uint32_t> characters_;
};

}  // namespace trawl
