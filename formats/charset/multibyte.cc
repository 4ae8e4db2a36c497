#include "formats/charset/multibyte.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "formats/charset/icu.h"
#include "formats/charset/index.h"
#include "formats/charset/sequences.h"
#include "formats/text/utf8.h"

namespace trawl {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;
constexpr size_t kNoPointer = ~size_t{0};

uint8_t ByteAt(std::string_view bytes, size_t at) { return static_cast<uint8_t>(bytes[at]); }

bool IsBetween(uint8_t byte, uint8_t low, uint8_t high) { return byte >= low && byte <= high; }

// Takes a lead byte and the byte after it: the character, or U+FFFD for both. An ASCII byte is never swallowed.
size_t TakePair(std::string_view bytes, uint32_t character, std::string* out) {
  AppendCodePoint(character != 0 ? character : kReplacement, out);
  return bytes.size() > 1 && (character != 0 || ByteAt(bytes, 1) >= 0x80) ? 2 : 1;
}

uint32_t PairCharacter(const CharsetIndex& index, std::string_view bytes, size_t (*pointer_of)(uint8_t, uint8_t)) {
  return bytes.size() < 2 ? 0 : index.At(pointer_of(ByteAt(bytes, 0), ByteAt(bytes, 1)));
}

size_t TakeReplacement(std::string* out) {
  AppendCodePoint(kReplacement, out);
  return 1;
}

size_t Big5Pointer(uint8_t lead, uint8_t trail) {
  if (!IsBetween(trail, 0x40, 0x7E) && !IsBetween(trail, 0xA1, 0xFE)) return kNoPointer;
  return (lead - 0x81u) * 157u + trail - (trail < 0x7F ? 0x40u : 0x62u);
}

size_t EucKrPointer(uint8_t lead, uint8_t trail) {
  return IsBetween(trail, 0x41, 0xFE) ? (lead - 0x81u) * 190u + trail - 0x41u : kNoPointer;
}

size_t ShiftJisPointer(uint8_t lead, uint8_t trail) {
  if (!IsBetween(trail, 0x40, 0x7E) && !IsBetween(trail, 0x80, 0xFC)) return kNoPointer;
  return (lead - (lead < 0xA0 ? 0x81u : 0xC1u)) * 188u + trail - (trail < 0x7F ? 0x40u : 0x41u);
}

size_t Gb18030Pointer(uint8_t lead, uint8_t trail) {
  if (!IsBetween(trail, 0x40, 0x7E) && !IsBetween(trail, 0x80, 0xFE)) return kNoPointer;
  return (lead - 0x81u) * 190u + trail - (trail < 0x7F ? 0x40u : 0x41u);
}

// Four cells of Big5 are a letter with a mark, which Unicode has only as two characters.
bool TakeBig5Composed(std::string_view bytes, std::string* out) {
  if (bytes.starts_with("\x88\x62")) {
    out->append("\u00CA\u0304");
  } else if (bytes.starts_with("\x88\x64")) {
    out->append("\u00CA\u030C");
  } else if (bytes.starts_with("\x88\xA3")) {
    out->append("\u00EA\u0304");
  } else if (bytes.starts_with("\x88\xA5")) {
    out->append("\u00EA\u030C");
  } else {
    return false;
  }
  return true;
}

// REQUIRES: a lead byte and a digit at the front.
size_t TakeFourBytes(std::string_view bytes, const IcuCharacters& icu, std::string* out) {
  const auto may_be = [&](size_t at, uint8_t low, uint8_t high) {
    return at >= bytes.size() || IsBetween(ByteAt(bytes, at), low, high);
  };
  // Where another byte breaks the sequence, only the first byte is lost. Where the end does, all that is left is lost.
  if (!may_be(2, 0x81, 0xFE) || !may_be(3, 0x30, 0x39)) return TakeReplacement(out);
  const uint32_t character = bytes.size() < 4 ? 0 : icu.Read(bytes.substr(0, 4));
  AppendCodePoint(character != 0 ? character : kReplacement, out);
  return std::min<size_t>(4, bytes.size());
}

}  // namespace

void DecodeGb18030(std::string_view bytes, std::string* out) {
  const CharsetIndex& index = CharsetIndex::Gb18030();
  const IcuCharacters icu("gb18030");
  DecodeSequences(bytes, out, [&](std::string_view rest) -> size_t {
    const uint8_t lead = ByteAt(rest, 0);
    if (lead == 0xFF) return TakeReplacement(out);
    if (lead == 0x80) {
      AppendCodePoint(0x20AC, out);
      return 1;
    }
    if (rest.size() > 1 && IsBetween(ByteAt(rest, 1), 0x30, 0x39)) return TakeFourBytes(rest, icu, out);
    return TakePair(rest, PairCharacter(index, rest, Gb18030Pointer), out);
  });
}

void DecodeBig5(std::string_view bytes, std::string* out) {
  const CharsetIndex& index = CharsetIndex::Big5();
  DecodeSequences(bytes, out, [&](std::string_view rest) -> size_t {
    const uint8_t lead = ByteAt(rest, 0);
    if (lead == 0x80 || lead == 0xFF) return TakeReplacement(out);
    if (TakeBig5Composed(rest, out)) return 2;
    return TakePair(rest, PairCharacter(index, rest, Big5Pointer), out);
  });
}

void DecodeShiftJis(std::string_view bytes, std::string* out) {
  const CharsetIndex& index = CharsetIndex::Jis0208();
  DecodeSequences(bytes, out, [&](std::string_view rest) -> size_t {
    const uint8_t lead = ByteAt(rest, 0);
    if (lead == 0x80 || IsBetween(lead, 0xA1, 0xDF)) {
      AppendCodePoint(lead == 0x80 ? 0x80 : 0xFF61u + lead - 0xA1u, out);
      return 1;
    }
    if (lead == 0xA0 || lead > 0xFC) return TakeReplacement(out);
    return TakePair(rest, PairCharacter(index, rest, ShiftJisPointer), out);
  });
}

void DecodeEucKr(std::string_view bytes, std::string* out) {
  const CharsetIndex& index = CharsetIndex::EucKr();
  DecodeSequences(bytes, out, [&](std::string_view rest) -> size_t {
    const uint8_t lead = ByteAt(rest, 0);
    if (lead == 0x80 || lead == 0xFF) return TakeReplacement(out);
    return TakePair(rest, PairCharacter(index, rest, EucKrPointer), out);
  });
}

}  // namespace trawl
