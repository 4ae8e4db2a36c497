// What a line of a seed list may say.
#include "jobs/inject/seed_line.h"

#include <gtest/gtest.h>

#include "formats/rows/times.h"

namespace trawl {
namespace {

arrow::Result<SeedLine> ReadSeed(const std::string& pairs) {
  SeedReader reader(NormalForm::kStandard);
  SeedLine seed;
  ARROW_RETURN_NOT_OK(reader.Read("https://a.example/\t" + pairs, &seed).status());
  return seed;
}

arrow::Result<UrlChange> ReadChange(const std::string& pairs) {
  ARROW_ASSIGN_OR_RAISE(const SeedLine seed, ReadSeed(pairs));
  return ChangeOf(seed.pairs);
}

TEST(SeedLine, AScoreIsAnyDecimalRoundedToMillionthsAndAtMostOne) {
  const struct {
    const char* text;
    int32_t millionths;
  } cases[] = {{"0", 0},
               {"1", 1'000'000},
               {"0.5", 500'000},
               {".5", 500'000},
               {"+0.5", 500'000},
               {"5.", 1'000'000},
               {"1e-1", 100'000},
               {"1E-6", 1},
               {"0.0000004", 0},
               {"0.0000006", 1},
               {"0.123456789", 123'457},
               {"0.9999999", 1'000'000},
               {"1.01", 1'000'000},
               {"12", 1'000'000},
               {"1e300", 1'000'000}};
  for (const auto& c : cases) {
    const auto change = ReadChange(std::string("score=") + c.text);
    ASSERT_TRUE(change.ok()) << c.text << change.status();
    EXPECT_EQ(change->score, c.millionths) << c.text;
  }
}

TEST(SeedLine, AScoreThatIsNoNumberFromZeroOnMakesTheLineBad) {
  for (const char* text : {"", "-0.5", "-0", "+-1", "++1", "nan", "-nan", "inf", "infinity", "1e999", "half", "0,5",
                           "0x1", "0.5x", "0.5 0.5"}) {
    const auto row = ReadSeed(std::string("score=") + text);
    EXPECT_FALSE(row.ok()) << text;
    EXPECT_NE(row.status().message().find("is not a number from 0 to 1"), std::string::npos) << row.status();
  }
}

TEST(SeedLine, NamesWhatItSetsAndNoMore) {
  const UrlChange change = *ReadChange("interval=36h\tpriority=2\tkind=feed\tteam=news");
  EXPECT_EQ(change, (UrlChange{.interval_ms = 36 * kHourMs,
                               .tier = TierChoice::kLow,
                               .kind = UrlKind::kFeed,
                               .metadata = {{"team", "news"}}}));
  EXPECT_FALSE(ReadChange("")->IsAny());
}

TEST(SeedLine, EqualValuesHaveEqualTexts) {
  EXPECT_EQ(ReadSeed("score=.5\tinterval=24h\tpriority=0")->pairs,
            ReadSeed("tier=high\tscore=0.50\tinterval=1d")->pairs);
}

TEST(SeedLine, APriorityIsOneOfThree) {
  const auto wrong = ReadSeed("priority=9");
  EXPECT_EQ(wrong.status().message(), "priority '9' is not known; write high, medium or low, or 0, 1 or 2");
}

TEST(SeedLine, APairThatLooksLikeAMisspeltOneIsWarnedOf) {
  EXPECT_EQ(ReadSeed("priorty=1")->warning, "'priorty' is kept as metadata; did you mean priority?");
  EXPECT_EQ(ReadSeed("priorty=1")->pairs, (SeedPairs{{"priorty", "1"}}));
  EXPECT_EQ(ReadSeed("Score=1")->warning, "'Score' is kept as metadata; did you mean score?");
  EXPECT_EQ(ReadSeed("team=news\tpriority=1")->warning, "");
}

TEST(SeedLine, OneNameWithTwoValuesMakesTheLineBad) {
  EXPECT_EQ(ReadSeed("score=1\tscore=0.5").status().message(), "score is named twice, 1 and 0.5");
  EXPECT_TRUE(ReadSeed("score=1\tscore=1.0").ok());
}

TEST(SeedLine, WhatTheScopeRefusesIsBadAndTheRuleIsSaid) {
  CrawlScopeOptions options = {.max_parameters = 1};
  options.rules = *UrlRules::Parse("-\\.pdf$\n+.\n", "rules.txt");
  const CrawlScope scope = *CrawlScope::Make(std::move(options));
  SeedReader reader(NormalForm::kStandard, &scope);
  SeedLine seed;
  const auto refused = [&](const std::string& url) { return reader.Read(url, &seed).status().message(); };
  EXPECT_EQ(refused("https://a.example/?x=1&y=2"),
            "refused: more than 1 query parameters: it has 2 (--urls.max_parameters)");
  EXPECT_EQ(refused("https://a.example/a.pdf"), "refused by rules.txt:1: -\\.pdf$ (--urls.scope_rules)");
  EXPECT_NE(refused("https://a.example/a/b/a/b/a/b").find("refused: path segments that repeat"), std::string::npos);
  EXPECT_EQ(refused("https://a.example/?x=1"), "");
  EXPECT_EQ(refused("https://a.example/ priority=high"),
            "a blank comes before priority=; a tab separates the URL from what is said of it");
}

// Of a longer line only the beginning is kept: how long it was nobody knows.
TEST(SeedLine, ALineThatIsTooLongSaysTheLimit) {
  EXPECT_TRUE(ReadSeed("x=" + std::string(60'000, 'x')).ok());
  EXPECT_EQ(ReadSeed("x=" + std::string(70'000, 'x')).status().message(), "a line of over 65536 bytes");
}

}  // namespace
}  // namespace trawl
