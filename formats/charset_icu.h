// The door to ICU's converters, for charset_decode.cc alone. Pure; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

struct UConverter;

namespace trawl {

// The code points of the bytes 0x80 to 0xFF in a single-byte encoding of the WHATWG standard, U+FFFD where a byte means
// nothing; false for any other encoding.
bool SingleByteTable(std::string_view encoding, std::array<uint16_t, 128>* high);

// The name under which MultiByteDecoder knows JIS X 0212 as EUC-JP writes it: 0x8F and two bytes.
constexpr std::string_view kEucJpThirdPlane = "EUC-JP, third plane";

// Decodes GBK, gb18030, Big5, Shift_JIS, EUC-KR or kEucJpThirdPlane. Opening one costs more than decoding a short text.
class MultiByteDecoder {
 public:
  explicit MultiByteDecoder(std::string_view encoding);
  ~MultiByteDecoder();
  MultiByteDecoder(const MultiByteDecoder&) = delete;
  MultiByteDecoder& operator=(const MultiByteDecoder&) = delete;

  // False for any other encoding; Append must not be called then.
  bool is_open() const { return converter_ != nullptr; }
  // Appends `bytes`, which end no character in their middle, as UTF-8.
  void Append(std::string_view bytes, std::string* out);

 private:
  UConverter* converter_;
};

}  // namespace trawl
