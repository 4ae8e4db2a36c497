#include "formats/content/words.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

TEST(Words, AreCountedInAnyScript) {
  struct Case {
    const char* text;
    int64_t words;
  };
  const Case cases[] = {
      {"", 0},
      {" \n", 0},
      {"one", 1},
      {"one two\nthree", 3},
      {"- – — … ! «»", 0},
      {"it's well-known, e.g. this", 4},
      {"3.14 is 1 number", 4},
      {"« un » deux", 2},
      {"naïve café", 2},
      {"élan", 1},
      {"Это предложение.", 2},
      {"漢字", 2},
      {"これは漢字です。", 7},
      {"東京、大阪", 4},
      {"Wörter und 漢字 mixed漢", 6},
      {"한국어 문장", 2},
      {"नमस्ते दुनिया", 2},
      {"مرحبا، بالعالم", 2},
      {"😀", 1},
      {"𠀀𠀁", 2},
  };
  for (const Case& c : cases) EXPECT_EQ(CountWords(c.text), c.words) << c.text;
}

}  // namespace
}  // namespace trawl
