#include "formats/scan/bytes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace trawl {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Bytes at which something may have to be replaced.
constexpr std::array<bool, 256> kMaybeOdd = [] {
  std::array<bool, 256> odd{};
  for (int c = 0; c < 0x20; ++c) odd[c] = c != '\t' && c != '\n' && c != '\f';
  odd[0x7F] = odd[0xC2] = odd[0xEF] = true;
  for (int c = 0xF0; c < 0x100; ++c) odd[c] = true;
  return odd;
}();

uint8_t ByteAt(std::string_view text, size_t at) { return at < text.size() ? static_cast<uint8_t>(text[at]) : 0; }

#ifdef __SSE2__
// Looks at sixteen bytes at once. The result has a bit for each byte that is in kMaybeOdd.
int OddMask(const char* bytes) {
  const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
  const auto equals = [&](int c) { return _mm_cmpeq_epi8(block, _mm_set1_epi8(static_cast<char>(c))); };
  const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1F)), block);
  const __m128i allowed = _mm_or_si128(_mm_or_si128(equals('\t'), equals('\n')), equals('\f'));
  const __m128i high = _mm_cmpeq_epi8(_mm_max_epu8(block, _mm_set1_epi8(static_cast<char>(0xEF))), block);
  const __m128i other = _mm_or_si128(equals(0x7F), equals(0xC2));
  return _mm_movemask_epi8(_mm_or_si128(_mm_andnot_si128(allowed, control), _mm_or_si128(high, other)));
}
#endif

size_t FindMaybeOdd(std::string_view text, size_t at) {
#ifdef __SSE2__
  for (; at + 16 <= text.size(); at += 16) {
    if (const int mask = OddMask(text.data() + at); mask != 0) {
      return at + static_cast<size_t>(__builtin_ctz(static_cast<unsigned>(mask)));
    }
  }
#endif
  while (at < text.size() && !kMaybeOdd[static_cast<uint8_t>(text[at])]) ++at;
  return at;
}

// The number of bytes to replace for the character at `at`; 0 if the character may stay.
size_t OddBytes(std::string_view text, size_t at) {
  const uint8_t first = ByteAt(text, at);
  const uint8_t second = ByteAt(text, at + 1);
  const uint8_t third = ByteAt(text, at + 2);
  if (first < 0x80) return 1;
  if (first == 0xC2) return second >= 0x80 && second <= 0x9F ? 2 : 0;
  if (first == 0xEF) {
    const bool in_block = second == 0xB7 && third >= 0x90 && third <= 0xAF;
    return in_block || (second == 0xBF && third >= 0xBE) ? 3 : 0;
  }
  return (second & 0xF) == 0xF && third == 0xBF && ByteAt(text, at + 3) >= 0xBE ? 4 : 0;
}

}  // namespace

HtmlBytes PreparedHtml(std::string_view utf8, std::string* storage) {
  HtmlBytes bytes;
  size_t copied = 0;
  size_t at = 0;
  while ((at = FindMaybeOdd(utf8, at)) < utf8.size()) {
    const size_t odd = OddBytes(utf8, at);
    if (odd == 0) {
      ++at;
      continue;
    }
    if (copied == 0) {
      storage->clear();
      storage->reserve(utf8.size() + utf8.size() / 8);
    }
    storage->append(utf8.substr(copied, at - copied));
    if (utf8[at] == '\0') bytes.has_nul = true;
    if (utf8[at] != '\r') {
      bytes.is_mended = true;
      storage->append(kReplacement);
    } else if (ByteAt(utf8, at + 1) != '\n') {
      storage->push_back('\n');
    }
    at += odd;
    copied = at;
  }
  if (copied == 0) {
    bytes.text = utf8;
  } else {
    storage->append(utf8.substr(copied));
    bytes.text = *storage;
  }
  return bytes;
}

}  // namespace trawl
