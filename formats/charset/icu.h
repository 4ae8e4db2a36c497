// The door to ICU's converters. Only the sources of formats/charset use it. Pure; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

struct UConverter;

namespace trawl {

// The code points of the bytes 0x80 to 0xFF in a single-byte encoding of the WHATWG standard, with U+FFFD for invalid
// bytes; false for any other encoding.
bool SingleByteTable(std::string_view encoding, std::array<uint16_t, 128>* high);

// Reads single characters with one of ICU's converters. For one thread at a time.
class IcuCharacters {
 public:
  // `converter` is ICU's name.
  explicit IcuCharacters(const char* converter);
  ~IcuCharacters();
  IcuCharacters(const IcuCharacters&) = delete;
  IcuCharacters& operator=(const IcuCharacters&) = delete;

  // The character that exactly these bytes stand for; 0 where they are not one character.
  uint32_t Read(std::string_view bytes) const;

 private:
  UConverter* converter_;
};

}  // namespace trawl
