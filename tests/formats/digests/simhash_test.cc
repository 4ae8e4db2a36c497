#include "formats/digests/simhash.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "formats/digests/tokens.h"

namespace trawl {
namespace {

using Words = std::vector<std::string>;

Words Tokens(std::string_view text) {
  Words words;
  TokenReader reader(text);
  for (std::string_view token; reader.Next(&token);) words.emplace_back(token);
  return words;
}

TEST(Tokens, RunsOfLettersMarksAndDigitsAreFolded) {
  const struct {
    const char* text;
    Words tokens;
  } cases[] = {
      {"", {}},
      {" \t.,-_ ", {}},
      {"Hello, World-42x!", {"hello", "world", "42x"}},
      {"don't", {"don", "t"}},
      {"GRÖSSE Größe", {"grösse", "größe"}},
      {"ΣΑΣ σας", {"σασ", "σασ"}},
      {"İx I", {"İx", "i"}},
      {"e\xCC\x81t\xC3\xA9", {"e\xCC\x81t\xC3\xA9"}},
      {"\xD9\xA3\xD9\xA4 x\xC2\xB2", {"\xD9\xA3\xD9\xA4", "x"}},
      {"हिन्दी भाषा", {"हिन्दी", "भाषा"}},
      {"한국어 문장", {"한국어", "문장"}},
  };
  for (const auto& c : cases) EXPECT_EQ(Tokens(c.text), c.tokens) << c.text;
}

TEST(Tokens, ScriptsWithoutSpacesHaveATokenACharacter) {
  EXPECT_EQ(Tokens("日本語の テキスト"), (Words{"日", "本", "語", "の", "テ", "キ", "ス", "ト"}));
  EXPECT_EQ(Tokens("abc日def"), (Words{"abc", "日", "def"}));
  EXPECT_EQ(Tokens("ไทย ລາວ ខ្ម မြ"), (Words{"ไ", "ท", "ย", "ລ", "າ", "ວ", "ខ", "្", "ម", "မ", "ြ"}));
  EXPECT_EQ(Tokens("\xF0\xA0\x80\x80x"), (Words{"\xF0\xA0\x80\x80", "x"}));
}

TEST(Tokens, IllFormedBytesSeparate) {
  EXPECT_EQ(Tokens("a\xFF"
                   "b\xE6\x97"
                   "c\xED\xA0\x80"
                   "d\xC3"),
            (Words{"a", "b", "c", "d"}));
}

// Stored fingerprints depend on these values, so they may never change. An implementation in another language gave the
// same.
TEST(SimHash, ValuesArePinned) {
  const struct {
    const char* text;
    uint64_t hash;
  } cases[] = {
      {"a b c", 0x4f801377e3437ecb},
      {"the quick brown fox", 0x4884401b808c8001},
      {"The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog.", 0x5cc188cfc0c9b905},
      {"日本語のテキスト", 0xac020440d2245003},
      {"Größe ÉCOLE Ελλάδα 42", 0x20260434400b4a08},
      {"ภาษาไทย", 0x4a3450f9ca49b05b},
      {"Привет мир снова", 0x3b5976be7de6eaba},
  };
  for (const auto& c : cases) EXPECT_EQ(SimHashOf(c.text), c.hash) << c.text;
}

TEST(SimHash, FewerThanThreeTokensHaveNone) {
  EXPECT_EQ(SimHashOf(""), std::nullopt);
  EXPECT_EQ(SimHashOf("two words"), std::nullopt);
  EXPECT_NE(SimHashOf("three words now"), std::nullopt);
  EXPECT_EQ(SimHashOf("three words now", 1), SimHashOf("three words now"));
  EXPECT_EQ(SimHashOf("two words", 1), std::nullopt);
  EXPECT_EQ(SimHashOf("three words now", 4), std::nullopt);
}

TEST(SimHash, CaseAndPunctuationDoNotCount) {
  EXPECT_EQ(SimHashOf("The Quick, Brown: FOX!"), SimHashOf("the quick brown fox"));
}

TEST(SimHash, CloseTextsAreCloseAndOthersFar) {
  std::string a, b, other;
  for (int i = 0; i < 400; ++i) {
    a += "word" + std::to_string(i * 7 % 101) + " ";
    b += (i == 200 ? "changed" : "word" + std::to_string(i * 7 % 101)) + " ";
    other += "term" + std::to_string(i * 11 % 103) + " ";
  }
  EXPECT_LE(HammingDistance(*SimHashOf(a), *SimHashOf(b)), 6);
  EXPECT_GE(HammingDistance(*SimHashOf(a), *SimHashOf(other)), 16);
}

TEST(SimHash, DistanceIsTheNumberOfDifferentBits) {
  EXPECT_EQ(HammingDistance(0, 0), 0);
  EXPECT_EQ(HammingDistance(0, ~uint64_t{0}), 64);
  EXPECT_EQ(HammingDistance(0b1011, 0b0010), 2);
}

// A window over long tokens, and counts that need more than a byte.
TEST(SimHash, LongTokensAndManyOfThemAreNoProblem) {
  const std::string long_token(1 << 20, 'A');
  EXPECT_NE(SimHashOf(long_token + " " + long_token + " b " + long_token), std::nullopt);
  std::string many;
  for (int i = 0; i < 100000; ++i) many += "x ";
  EXPECT_EQ(SimHashOf(many), SimHashOf("x x x"));
}

}  // namespace
}  // namespace trawl
