#include "formats/digests/tokens.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <array>
#include <cstdint>

#include "formats/text/ascii.h"

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

// The folded form of every ASCII letter and digit; 0 for all other bytes.
constexpr std::array<char, 256> kAsciiWord = [] {
  std::array<char, 256> table{};
  for (int c = 0; c < 128; ++c) {
    if (IsAsciiLetter(static_cast<char>(c)) || IsAsciiDigit(static_cast<char>(c)))
      table[c] = AsciiLower(static_cast<char>(c));
  }
  return table;
}();

void AppendFolded(UChar32 character, std::string* out) {
  uint8_t bytes[U8_MAX_LENGTH];
  int32_t size = 0;
  U8_APPEND_UNSAFE(bytes, size, u_foldCase(character, U_FOLD_CASE_DEFAULT));
  out->append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
}

}  // namespace

void TokenReader::TakeAsciiRun() {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text_.data());
  size_t end = at_;
  while (end < text_.size() && kAsciiWord[bytes[end]] != 0) ++end;
  const size_t before = token_.size();
  token_.resize(before + end - at_);
  char* to = token_.data() + before;
  for (; at_ < end; ++at_) *to++ = kAsciiWord[bytes[at_]];
}

void TokenReader::TakeRun() {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text_.data());
  while (true) {
    TakeAsciiRun();
    if (at_ == text_.size() || bytes[at_] < 0x80) return;
    size_t next = at_;
    UChar32 character;
    U8_NEXT(bytes, next, text_.size(), character);
    const CharacterKind kind = KindOf(character);
    if (kind == CharacterKind::kSeparator || (kind == CharacterKind::kTokenOfItsOwn && !token_.empty())) return;
    at_ = next;
    AppendFolded(character, &token_);
    if (kind == CharacterKind::kTokenOfItsOwn) return;
  }
}

bool TokenReader::Next(std::string_view* token) {
  token_.clear();
  while (at_ < text_.size()) {
    TakeRun();
    if (!token_.empty()) {
      *token = token_;
      return true;
    }
    // The character here is a separator.
    U8_FWD_1(reinterpret_cast<const uint8_t*>(text_.data()), at_, text_.size());
  }
  return false;
}

}  // namespace trawl
