// The door to ICU's converters, for the sources charset_….cc alone. Pure; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

struct UConverter;

namespace trawl {

// The code points of the bytes 0x80 to 0xFF in a single-byte encoding of the WHATWG standard, U+FFFD where a byte means
// nothing; false for any other encoding.
bool SingleByteTable(std::string_view encoding, std::array<uint16_t, 128>* high);

// Reads single characters with one of ICU's converters. For one thread at a time.
class IcuCharacters {
 public:
  // By a name of ICU's.
  explicit IcuCharacters(const char* converter);
  ~IcuCharacters();
  IcuCharacters(const IcuCharacters&) = delete;
  IcuCharacters& operator=(const IcuCharacters&) = delete;

  // The character that exactly these bytes are; 0 where they are none.
  uint32_t Read(std::string_view bytes) const;

 private:
  UConverter* converter_;
};

}  // namespace trawl
