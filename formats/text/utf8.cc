#include "formats/text/utf8.h"

#include <cstring>

namespace trawl {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Sequence {
  size_t length = 0;  // bytes looked at; in a broken sequence, its maximal subpart
  bool well_formed = false;
  bool cut = false;  // broken only because the input ends
};

// The sequence at the front of `bytes`, which start with a byte that is not ASCII.
Sequence SequenceAt(std::string_view bytes) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  const uint8_t lead = byte(0);
  size_t needed = 0;
  uint8_t low = 0x80, high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    needed = 1;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    needed = 2;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    needed = 3;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return {1, false, false};
  }
  for (size_t i = 1; i <= needed; ++i) {
    if (i == bytes.size()) return {i, false, true};
    if (byte(i) < low || byte(i) > high) return {i, false, false};
    low = 0x80;
    high = 0xBF;
  }
  return {needed + 1, true, false};
}

}  // namespace

size_t AsciiPrefix(std::string_view bytes) {
  size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    if ((word & 0x8080808080808080ull) != 0) break;
  }
  while (i < bytes.size() && static_cast<uint8_t>(bytes[i]) < 0x80) ++i;
  return i;
}

size_t ValidUtf8Prefix(std::string_view bytes) {
  size_t at = 0;
  while (true) {
    at += AsciiPrefix(bytes.substr(at));
    if (at == bytes.size()) return at;
    while (at < bytes.size() && static_cast<uint8_t>(bytes[at]) >= 0x80) {
      const Sequence sequence = SequenceAt(bytes.substr(at));
      if (!sequence.well_formed) return at;
      at += sequence.length;
    }
  }
}

Utf8Census CountUtf8(std::string_view bytes) {
  Utf8Census census;
  size_t at = 0;
  while (true) {
    at += AsciiPrefix(bytes.substr(at));
    if (at == bytes.size()) return census;
    const Sequence sequence = SequenceAt(bytes.substr(at));
    if (sequence.well_formed) {
      ++census.multibyte;
    } else if (!sequence.cut) {
      ++census.broken;
    }
    at += sequence.length;
  }
}

void AppendRepairedUtf8(std::string_view bytes, std::string* out) {
  out->reserve(out->size() + bytes.size());
  while (true) {
    const size_t valid = ValidUtf8Prefix(bytes);
    out->append(bytes.substr(0, valid));
    bytes.remove_prefix(valid);
    if (bytes.empty()) return;
    out->append(kReplacement);
    bytes.remove_prefix(SequenceAt(bytes).length);
  }
}

std::string RepairedUtf8(std::string_view bytes) {
  std::string repaired;
  AppendRepairedUtf8(bytes, &repaired);
  return repaired;
}

void AppendCodePoint(uint32_t code_point, std::string* out) {
  const auto put = [&](uint32_t byte) { out->push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
    put(0x80 | (code_point & 0x3F));
  } else if ((code_point >= 0xD800 && code_point <= 0xDFFF) || code_point > 0x10FFFF) {
    out->append(kReplacement);
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  } else {
    put(0xF0 | code_point >> 18);
    put(0x80 | (code_point >> 12 & 0x3F));
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  }
}

}  // namespace trawl
