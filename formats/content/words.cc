#include "formats/content/words.h"

#include <array>
#include <cstddef>

namespace trawl {
namespace {

// The meaning of a byte where a character begins.
enum Byte : uint8_t {
  kMark,      // neither begins nor ends a word: punctuation
  kSpace,     // ends a word
  kLetter,    // a part of a word
  kTwoBytes,  // begins a character of two bytes, and so on
  kThreeBytes,
  kFourBytes,
};

constexpr std::array<uint8_t, 256> kBytes = [] {
  std::array<uint8_t, 256> bytes{};
  for (const char c : {' ', '\t', '\n', '\f', '\r'}) bytes[static_cast<uint8_t>(c)] = kSpace;
  for (int c = '0'; c <= '9'; ++c) bytes[static_cast<size_t>(c)] = kLetter;
  for (int c = 'A'; c <= 'Z'; ++c) bytes[static_cast<size_t>(c)] = bytes[static_cast<size_t>(c) + 32] = kLetter;
  for (size_t c = 0xC2; c < 0xE0; ++c) bytes[c] = kTwoBytes;
  for (size_t c = 0xE0; c < 0xF0; ++c) bytes[c] = kThreeBytes;
  for (size_t c = 0xF0; c < 0xF5; ++c) bytes[c] = kFourBytes;
  return bytes;
}();

// A character that is a word by itself: Han and kana.
bool StandsAlone(uint32_t c) {
  return (c >= 0x3041 && c <= 0x30FF) || (c >= 0x31F0 && c <= 0x31FF) || (c >= 0x3400 && c <= 0x4DBF) ||
         (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x20000 && c <= 0x3FFFF);
}

// Punctuation and symbols: those of Latin-1, general punctuation to dingbats, CJK, and the wide forms of ASCII's.
bool IsMark(uint32_t c) {
  return (c < 0xC0 && c != 0xAA && c != 0xB5 && c != 0xBA) || (c >= 0x2000 && c <= 0x206F) ||
         (c >= 0x2190 && c <= 0x2BFF) || (c >= 0x3000 && c <= 0x303F) || (c >= 0xFF00 && c <= 0xFF0F) ||
         (c >= 0xFF1A && c <= 0xFF20) || c == 0x60C || c == 0x61B || c == 0x61F;
}

}  // namespace

int64_t CountWords(std::string_view utf8) {
  int64_t words = 0;
  bool in_word = false;
  for (size_t at = 0; at < utf8.size();) {
    const auto byte = static_cast<uint8_t>(utf8[at]);
    const uint8_t kind = kBytes[byte];
    if (kind <= kLetter) {
      words += kind == kLetter && !in_word ? 1 : 0;
      in_word = kind == kLetter || (in_word && kind == kMark);
      ++at;
      continue;
    }
    const size_t bytes = kind - kTwoBytes + size_t{2};
    uint32_t c = byte & (0x7Fu >> bytes);
    for (size_t i = 1; i < bytes && at + i < utf8.size(); ++i)
      c = c << 6 | (static_cast<uint8_t>(utf8[at + i]) & 0x3Fu);
    at += bytes;
    if (IsMark(c)) {
      if (c >= 0x3000) in_word = false;  // no space stands beside the wide ones
      continue;
    }
    const bool stands_alone = StandsAlone(c);
    if (stands_alone || !in_word) ++words;
    in_word = !stands_alone;
  }
  return words;
}

}  // namespace trawl
