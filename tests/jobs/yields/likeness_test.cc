#include "jobs/yields/likeness.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace trawl {
namespace {

constexpr int kDistance = 3;

class Texts {
 public:
  // A text of its own, in which each bit of `from` differs with that probability.
  uint64_t Near(uint64_t from, double probability) {
    uint64_t bits = 0;
    for (int i = 0; i < 64; ++i) bits |= static_cast<uint64_t>(differs_(random_) < probability) << i;
    return from ^ bits;
  }
  uint64_t Any() { return random_(); }

 private:
  std::mt19937_64 random_{16};
  std::uniform_real_distribution<> differs_;
};

// How many of the last `of` of so many texts are like others.
template <typename Make>
double LikeShare(int texts, int of, Make&& make) {
  TextSample sample(kDistance);
  int like = 0;
  for (int i = 0; i < texts; ++i) like += sample.Add(make(i)) && i >= texts - of ? 1 : 0;
  return static_cast<double>(like) / of;
}

TEST(TextSample, TextsThatComeAgainAreAlikeThoughTheyAreFurtherApartThanNearOnes) {
  Texts texts;
  std::vector<uint64_t> contents;
  for (int i = 0; i < 25; ++i) contents.push_back(texts.Any());
  const auto facets = [&](int i) { return texts.Near(contents[static_cast<size_t>(i) % 25], 0.05); };
  EXPECT_GT(LikeShare(300, 200, facets), 0.9) << "two of one content differ in 6 bits";
}

TEST(TextSample, TextsOfOneTemplateAreNotAlikeHoweverNearTheyAre) {
  Texts texts;
  const uint64_t page = texts.Any();
  for (const double probability : {0.005, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.5}) {  // spreads of 1 to 32 bits
    EXPECT_LT(LikeShare(1000, 900, [&](int) { return texts.Near(page, probability); }), 0.4) << probability;
  }
}

TEST(TextSample, IsWrittenAndReadWithTheOldestFirst) {
  Texts texts;
  TextSample all(kDistance), read(kDistance);
  for (int i = 0; i < 1000; ++i) {
    const uint64_t text = i % 3 == 0 ? texts.Near(7, 0.1) : texts.Any();
    TextSample again(kDistance);
    again.Read(all.Bytes());
    read.Read(read.Bytes());
    EXPECT_EQ(read.Add(text), again.Add(text));
    all.Add(text);
    ASSERT_EQ(again.Bytes(), all.Bytes()) << i;
    ASSERT_EQ(read.spread(), all.spread()) << i;
  }
  EXPECT_EQ(all.Bytes().size(), kSampleTexts * 8);
  for (const std::string& bytes : {std::string(7, 'x'), std::string((kSampleTexts + 1) * 8, 'x'), std::string()}) {
    read.Read(bytes);
    EXPECT_EQ(read.Bytes(), "");
    EXPECT_EQ(read.spread(), 0);
  }
}

TEST(TextSample, ChanceIsThatOfBitsThatDifferEachByItself) {
  EXPECT_DOUBLE_EQ(ChanceOfBits(0, 0), 1);
  EXPECT_NEAR(ChanceOfBits(320, 31), 0.45, 0.01);
  EXPECT_NEAR(ChanceOfBits(320, 64), 1, 1e-9);
  EXPECT_NEAR(ChanceOfBits(140, 3), 1.4e-4, 2e-5);
  EXPECT_NEAR(ChanceOfBits(100, 3), 6.5e-3, 5e-4);
}

TEST(TextSample, ExplainsNearPagesOfManyThatHaveATemplate) {
  Texts texts;
  TextSample records(kDistance), articles(kDistance), few(kDistance);
  for (int i = 0; i < 200; ++i) {
    records.Add(texts.Near(7, 0.12));  // spread 13.5
    articles.Add(texts.Any());
  }
  EXPECT_TRUE(records.ExplainsNear(50'000)) << "most have a near one by chance";
  EXPECT_FALSE(records.ExplainsNear(100));
  EXPECT_FALSE(articles.ExplainsNear(1'000'000'000));
  EXPECT_FALSE(few.ExplainsNear(1'000'000'000)) << "nothing is known of it";
}

}  // namespace
}  // namespace trawl
