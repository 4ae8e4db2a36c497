// What a line of a seed list may say.
#include "jobs/inject/seed_line.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

arrow::Result<UrlRow> ReadSeed(const std::string& pairs) {
  SeedReader reader(NormalForm::kStandard, {.score = 7, .now_ms = 1});
  UrlRow row;
  ARROW_RETURN_NOT_OK(reader.Read("https://a.example/\t" + pairs, &row).status());
  return row;
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
    const auto row = ReadSeed(std::string("score=") + c.text);
    ASSERT_TRUE(row.ok()) << c.text << row.status();
    EXPECT_EQ(row->score, c.millionths) << c.text;
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

TEST(SeedLine, ASeedWithoutAScoreHasTheDefault) {
  EXPECT_EQ(ReadSeed("team=news")->score, 7);
  EXPECT_EQ(ReadSeed("team=news")->metadata, "team=news");
}

// Of a longer line only the beginning is kept: how long it was nobody knows.
TEST(SeedLine, ALineThatIsTooLongSaysTheLimit) {
  EXPECT_TRUE(ReadSeed("x=" + std::string(60'000, 'x')).ok());
  EXPECT_EQ(ReadSeed("x=" + std::string(70'000, 'x')).status().message(), "a line of over 65536 bytes");
}

}  // namespace
}  // namespace trawl
