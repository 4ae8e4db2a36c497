#include "formats/digests/tokens.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace trawl {

namespace {

enum class CharacterKind : uint8_t { kSeparator, kWord, kTokenOfItsOwn };

constexpr uint32_t kCountingCategories = U_GC_L_MASK | U_GC_M_MASK | U_GC_ND_MASK;

bool IsWrittenWithoutSpaces(UScriptCode script) {
  switch (script) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR:
      return true;
    default:
      return false;
  }
}

CharacterKind KindOf(UChar32 character) {
  if (character < 0 || (U_GET_GC_MASK(character) & kCountingCategories) == 0) return CharacterKind::kSeparator;
  UErrorCode error = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(character, &error);
  return IsWrittenWithoutSpaces(script) ? CharacterKind::kTokenOfItsOwn : CharacterKind::kWord;
}

struct Character {
  CharacterKind kind = CharacterKind::kSeparator;
  UChar32 folded = 0;
};

Character AskUnicode(UChar32 character) {
  const CharacterKind kind = KindOf(character);
  return {kind, kind == CharacterKind::kSeparator ? character : u_foldCase(character, U_FOLD_CASE_DEFAULT)};
}

// Alphabets and kana come before this character.
constexpr UChar32 kFirstUncommon = 0x3100;

// What AskUnicode answers for the characters before kFirstUncommon.
const Character& CommonCharacter(UChar32 character) {
  static const auto* const kTable = [] {
    auto* table = new std::array<Character, kFirstUncommon>;
    for (UChar32 c = 0; c < kFirstUncommon; ++c) (*table)[static_cast<size_t>(c)] = AskUnicode(c);
    return table;
  }();
  return (*kTable)[static_cast<size_t>(character)];
}

Character Describe(UChar32 character) {
  if (character >= 0 && character < kFirstUncommon) return CommonCharacter(character);
  // All of CJK Unified Ideographs and of Hangul Syllables is assigned. They are letters without case.
  if (character >= 0x4E00 && character <= 0x9FFF) return {CharacterKind::kTokenOfItsOwn, character};
  if (character >= 0xAC00 && character <= 0xD7A3) return {CharacterKind::kWord, character};
  return AskUnicode(character);
}

// Eight bytes of text in one word, the first in the lowest bits.
constexpr size_t kWordBytes = sizeof(uint64_t);

uint64_t LoadWord(const char* from) {
  uint64_t word;
  std::memcpy(&word, from, kWordBytes);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

void StoreWord(uint64_t word, char* to) {
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  std::memcpy(to, &word, kWordBytes);
}

constexpr uint64_t EachByte(uint8_t byte) { return 0x0101010101010101u * byte; }

// The top bit of each byte that is at least `low` and at most `high`. REQUIRES: no byte of `word` is above 0x7F.
constexpr uint64_t Between(uint64_t word, uint8_t low, uint8_t high) {
  return (word + EachByte(static_cast<uint8_t>(0x80 - low))) & ~(word + EachByte(static_cast<uint8_t>(0x7F - high))) &
         EachByte(0x80);
}

// The top bits of the eight bytes, as the lowest eight bits.
constexpr uint64_t TopBits(uint64_t word) { return (word >> 7 & EachByte(1)) * 0x0102040810204080u >> 56; }

// Makes `out` have at least this many bytes after `end`.
void Ensure(size_t more, size_t end, std::string* out) {
  if (out->size() < end + more) out->resize(2 * end + more);
}

void WriteCharacter(UChar32 character, std::string* out, size_t* end) {
  // One byte more than the character: the one that Write promises after the token.
  Ensure(U8_MAX_LENGTH + 1, *end, out);
  auto* bytes = reinterpret_cast<uint8_t*>(out->data());
  U8_APPEND_UNSAFE(bytes, *end, character);
}

}  // namespace

void TokenReader::LoadBlock() {
  const size_t size = std::min(Block::kBytes, text_.size() - at_);
  std::array<char, Block::kBytes> last;
  const char* from = text_.data() + at_;
  if (size < Block::kBytes) {
    // After the end of the text come bytes that are not ASCII, so that no run goes on there.
    last.fill('\xFF');
    std::memcpy(last.data(), from, size);
    from = last.data();
  }
  uint64_t words = 0;
  uint64_t separators = 0;
  for (size_t i = 0; i < Block::kBytes; i += kWordBytes) {
    const uint64_t word = LoadWord(from + i);
    const uint64_t ascii = word & EachByte(0x7F);
    // Turns capitals into small letters, and changes no digit.
    const uint64_t folded = ascii | EachByte(0x20);
    const uint64_t counts = Between(folded, 'a', 'z') | Between(ascii, '0', '9');
    words |= TopBits(counts & ~word) << i;
    separators |= TopBits(~counts & ~word) << i;
    StoreWord(folded, block_.folded.data() + i);
  }
  block_.begin = at_;
  block_.end = at_ + size;
  block_.words = words;
  block_.separators = separators;
}

void TokenReader::WriteAscii(size_t offset, size_t size, std::string* out, size_t* end) {
  // One byte more than is written: the one that Write promises after the token.
  Ensure(size + kWordBytes + 1, *end, out);
  const char* from = block_.folded.data() + offset;
  char* to = out->data() + *end;
  for (size_t i = 0; i < size; i += kWordBytes) std::memcpy(to + i, from + i, kWordBytes);
  at_ += size;
  *end += size;
}

bool TokenReader::Write(std::string* out, size_t* end) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text_.data());
  const size_t begin = *end;
  while (at_ < text_.size()) {
    if (at_ >= block_.end) LoadBlock();
    const size_t offset = at_ - block_.begin;
    if (const int run = std::countr_one(block_.words >> offset); run > 0) {
      WriteAscii(offset, static_cast<size_t>(run), out, end);
      continue;
    }
    if (const int run = std::countr_one(block_.separators >> offset); run > 0) {
      at_ += static_cast<size_t>(run);
      if (*end > begin) return true;
      continue;
    }
    size_t next = at_;
    UChar32 code_point;
    U8_NEXT(bytes, next, text_.size(), code_point);
    const Character character = Describe(code_point);
    if (character.kind == CharacterKind::kTokenOfItsOwn && *end > begin) return true;
    at_ = next;
    if (character.kind != CharacterKind::kSeparator) WriteCharacter(character.folded, out, end);
    if (character.kind != CharacterKind::kWord && *end > begin) return true;
  }
  return *end > begin;
}

bool TokenReader::Next(std::string_view* token) {
  size_t end = 0;
  if (!Write(&token_, &end)) return false;
  *token = std::string_view(token_).substr(0, end);
  return true;
}

}  // namespace trawl
