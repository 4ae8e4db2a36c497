// Compares tokens and fingerprints with a simple implementation of the rules in tokens.h and simhash.h, which looks at
// one character at a time and counts bits one by one.
#include <gtest/gtest.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <array>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "formats/digests/digest.h"
#include "formats/digests/simhash.h"
#include "formats/digests/tokens.h"

namespace trawl {
namespace {

using Words = std::vector<std::string>;

void Append(UChar32 character, std::string* out) {
  uint8_t bytes[U8_MAX_LENGTH];
  int32_t size = 0;
  U8_APPEND_UNSAFE(bytes, size, character);
  out->append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
}

bool IsWrittenWithoutSpaces(UChar32 character) {
  UErrorCode error = U_ZERO_ERROR;
  switch (uscript_getScript(character, &error)) {
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

Words SimpleTokens(std::string_view text) {
  constexpr uint32_t kCounting = U_GC_L_MASK | U_GC_M_MASK | U_GC_ND_MASK;
  Words words;
  std::string word;
  const auto close = [&] {
    if (!word.empty()) words.push_back(word);
    word.clear();
  };
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  for (size_t at = 0; at < text.size();) {
    UChar32 character;
    U8_NEXT(bytes, at, text.size(), character);
    const bool counts = character >= 0 && (U_GET_GC_MASK(character) & kCounting) != 0;
    const bool alone = counts && IsWrittenWithoutSpaces(character);
    if (!counts || alone) close();
    if (counts) Append(u_foldCase(character, U_FOLD_CASE_DEFAULT), &word);
    if (alone) close();
  }
  close();
  return words;
}

std::optional<uint64_t> SimpleSimHash(const Words& tokens) {
  if (tokens.size() < 3) return std::nullopt;
  std::array<uint64_t, 64> counts{};
  const uint64_t shingles = tokens.size() - 2;
  for (size_t i = 0; i < shingles; ++i) {
    const uint64_t hash = Hash64(tokens[i] + " " + tokens[i + 1] + " " + tokens[i + 2]);
    for (size_t bit = 0; bit < 64; ++bit) counts[bit] += hash >> bit & 1;
  }
  uint64_t fingerprint = 0;
  for (size_t bit = 0; bit < 64; ++bit) {
    if (2 * counts[bit] > shingles) fingerprint |= uint64_t{1} << bit;
  }
  return fingerprint;
}

Words Tokens(std::string_view text) {
  Words words;
  TokenReader reader(text);
  for (std::string_view token; reader.Next(&token);) words.emplace_back(token);
  return words;
}

// Escapes what cannot be read.
std::string Shown(std::string_view text) { return ToHex(text.substr(0, 200)); }

void ExpectSame(std::string_view text) {
  const Words expected = SimpleTokens(text);
  ASSERT_EQ(Tokens(text), expected) << Shown(text);
  ASSERT_EQ(SimHashOf(text), SimpleSimHash(expected)) << Shown(text);
}

TEST(SimHashDifferential, EveryCharacterIsReadTheSame) {
  int characters = 0;
  for (UChar32 character = 0; character <= 0x10FFFF; ++character) {
    if (U_IS_SURROGATE(character)) continue;
    std::string text = "a";
    Append(character, &text);
    text += "B ";
    Append(character, &text);
    Append(character, &text);
    text += "c";
    const Words expected = SimpleTokens(text);
    ASSERT_EQ(Tokens(text), expected) << "character " << character;
    ++characters;
  }
  EXPECT_EQ(characters, 0x110000 - 0x800);
}

// A word, separators or bytes of one kind, so that runs of every length meet each other at every place.
std::string Piece(std::mt19937& random) {
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  std::string piece;
  switch (below(7)) {
    case 0:
      return std::string(below(80), static_cast<char>('A' + below(58)));
    case 1:
      return std::string(below(80), " .-\n\t"[below(5)]);
    case 2:
      Append(static_cast<UChar32>(0x80 + below(0x3200)), &piece);
      return piece;
    case 3:
      Append(static_cast<UChar32>(0x3000 + below(0xA800)), &piece);
      return piece;
    case 4:
      Append(static_cast<UChar32>(0xE000 + below(0x102000)), &piece);
      return piece;
    case 5:
      return std::string(1 + below(3), static_cast<char>(0x80 + below(128)));
    default:
      return std::string(1, static_cast<char>(below(128)));
  }
}

TEST(SimHashDifferential, TextsOfManyPiecesAreReadTheSame) {
  std::mt19937 random(1);
  for (int i = 0; i < 4000; ++i) {
    std::string text;
    const size_t size = i % 40 == 0 ? 20'000 : random() % 300;
    while (text.size() < size) text += Piece(random);
    ExpectSame(text);
  }
}

// The counts of bits are added up eight at a time.
TEST(SimHashDifferential, TextsOfEveryNumberOfTokensHaveTheSameFingerprint) {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    text += "word" + std::to_string(i * 7 % 101) + (i % 5 == 0 ? ", " : " ");
    ExpectSame(text);
  }
}

TEST(SimHashDifferential, LongTokensAreReadTheSame) {
  const std::string a(70'000, 'A');
  const std::string b(5'000, 'b');
  ExpectSame(a + " " + b + " x " + a + " y z " + b + b + ".");
}

}  // namespace
}  // namespace trawl
