// Several lines for one URL are one seed, in whatever order they come.
#include "jobs/inject/seed_fold.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace trawl {
namespace {

struct Line {
  SeedPlace place;
  std::string spelling;
  SeedPairs pairs;
};

std::string TextOf(const SeedFold& fold) {
  std::string text = fold.spelling() + " at " + std::to_string(fold.place().line);
  for (const auto& [name, value] : fold.pairs()) text += " " + name + "=" + value;
  for (const SeedContradiction& one : fold.contradictions()) {
    text += "; " + one.name + "=" + one.other + " of " + std::to_string(one.other_at.line) + " gives way to " +
            one.kept + " of " + std::to_string(one.kept_at.line);
  }
  return text;
}

// The fold of the lines, which must be the same in every order.
std::string FoldOf(std::vector<Line> lines) {
  std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.place < b.place; });
  std::string first;
  do {
    SeedFold fold;
    fold.Clear();
    for (const Line& line : lines) fold.Add(line.place, line.spelling, line.pairs);
    fold.Finish();
    if (first.empty()) first = TextOf(fold);
    EXPECT_EQ(TextOf(fold), first);
  } while (std::next_permutation(lines.begin(), lines.end(),
                                 [](const Line& a, const Line& b) { return a.place < b.place; }));
  return first;
}

TEST(SeedFold, ThePlainLineTakesNothingFromTheExplicitOne) {
  EXPECT_EQ(FoldOf({{{0, 1}, "", {{"score", "0.3"}, {"team", "news"}}}, {{0, 2}, "", {}}}),
            " at 1 score=0.3 team=news");
}

TEST(SeedFold, TheMoreExplicitLineWinsAndTheOthersFillItUp) {
  EXPECT_EQ(FoldOf({{{0, 1}, "", {{"score", "0.3"}}},
                    {{0, 2}, "", {{"score", "0.5"}, {"interval", "1d"}}},
                    {{1, 3}, "", {{"team", "news"}}}}),
            " at 1 interval=1d score=0.5 team=news; score=0.3 of 1 gives way to 0.5 of 2");
}

TEST(SeedFold, EquallyExplicitLinesAreDecidedByWhatTheySay) {
  EXPECT_EQ(FoldOf({{{1, 9}, "", {{"score", "0.3"}}}, {{0, 1}, "", {{"score", "0.5"}}}}),
            " at 1 score=0.3; score=0.5 of 1 gives way to 0.3 of 9");
}

TEST(SeedFold, TheSpellingIsTheShortest) {
  EXPECT_EQ(FoldOf({{{0, 1}, "https://a/?b", {}}, {{0, 2}, "https://a/?a", {}}}), "https://a/?a at 1");
  EXPECT_EQ(FoldOf({{{0, 1}, "https://a/?b", {}}, {{0, 2}, "", {}}}), " at 1");
}

TEST(SeedFold, LinesTravelAsBytes) {
  SeedLine line = {.key = "com,a)/", .spelling = "https://a.com/?x", .pairs = {{"score", "0.3"}, {"x", "a=b"}}};
  std::string bytes;
  EncodeSeed({3, 77}, line, &bytes);
  SeedPlace place;
  std::string spelling;
  SeedPairs pairs;
  ASSERT_TRUE(DecodeSeed(bytes, &place, &spelling, &pairs).ok());
  EXPECT_EQ(place, (SeedPlace{3, 77}));
  EXPECT_EQ(spelling, line.spelling);
  EXPECT_EQ(pairs, line.pairs);
  EncodeSeed({0, 1}, {}, &bytes);
  ASSERT_TRUE(DecodeSeed(bytes, &place, &spelling, &pairs).ok());
  EXPECT_EQ(spelling, "");
  EXPECT_TRUE(pairs.empty());
  EXPECT_FALSE(DecodeSeed("short", &place, &spelling, &pairs).ok());
}

}  // namespace
}  // namespace trawl
