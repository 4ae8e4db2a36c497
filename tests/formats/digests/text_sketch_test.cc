#include "formats/digests/text_sketch.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "formats/digests/digest.h"

namespace trawl {
namespace {

// Lines of three words.
std::string Template(int lines) {
  std::string text;
  for (int i = 0; i < lines; ++i) text += "menu of " + std::to_string(i) + "\n";
  return text;
}

// One line; with `changed` > 0 every word whose number it divides is another.
std::string Body(const std::string& name, int words, int changed = 0) {
  std::string text;
  for (int i = 0; i < words; ++i) {
    text += (changed > 0 && i % changed == 0 ? "new" : name) + std::to_string(i) + " ";
  }
  return text + "\n";
}

bool AreAlike(const std::string& a, const std::string& b) {
  const bool alike = MayBeCopies(TextSketchOf(a), TextSketchOf(b));
  EXPECT_EQ(alike, MayBeCopies(TextSketchOf(b), TextSketchOf(a)));
  return alike;
}

TEST(TextSketch, ATemplateOfAnySizeDoesNotMakeTwoTextsOne) {
  for (const int lines : {1, 20, 300}) {
    const std::string around = Template(lines);
    EXPECT_FALSE(AreAlike(around + Body("a", 60), around + Body("b", 60))) << lines;
    EXPECT_TRUE(AreAlike(around + Body("a", 60), around + Body("a", 60, 60))) << lines;
    EXPECT_TRUE(AreAlike(around + Body("a", 60), around + Body("a", 60, 20))) << lines;
  }
}

TEST(TextSketch, CopiesWithAPercentOfOtherWordsPassAtAnyLength) {
  for (const int words : {100, 1'000, 10'000, 100'000}) {
    EXPECT_TRUE(AreAlike(Body("a", words), Body("a", words, 100))) << words;
    // The counters of very long texts say too little: they pass.
    EXPECT_EQ(AreAlike(Body("a", words), Body("b", words)), words > 20'000) << words;
  }
}

// Words that moved are the same words; what folds to the same word is.
TEST(TextSketch, WordsCountWhereverTheyStandAndLinesAsTheyAre) {
  EXPECT_TRUE(AreAlike("One two three four five six seven\n", "seven six five\nfour three two one"));
  EXPECT_TRUE(AreAlike("ONE TWO THREE", "one, two; three"));
  EXPECT_FALSE(AreAlike("one two three", "four five six"));
}

TEST(TextSketch, WithoutASketchThereIsNoSecondLook) {
  const TextSketch one = TextSketchOf("one two three"), none;
  EXPECT_TRUE(MayBeCopies(one, none));
  EXPECT_TRUE(MayBeCopies(none, one));
  EXPECT_EQ(TextSketchOf(" \n ; "), none);
  EXPECT_EQ(none.Bytes(), "");
  EXPECT_EQ(TextSketch::FromBytes(std::string(35, 'x')), none);
}

TEST(TextSketch, BytesAreStoredAndReadAgain) {
  const TextSketch sketch = TextSketchOf(Template(30) + Body("word", 200));
  EXPECT_EQ(sketch.tokens, 290u);
  EXPECT_EQ(sketch.Bytes().size(), TextSketch::kBytes);
  EXPECT_EQ(TextSketch::FromBytes(sketch.Bytes()), sketch);
  // They are stored with pages: these never change.
  const std::string bytes = TextSketchOf("One two,\nthree\n").Bytes();
  EXPECT_EQ(ToHex(bytes), "030000000100f00000f000000000000000000000000f0000000000000000000000f000f0");
}

}  // namespace
}  // namespace trawl
