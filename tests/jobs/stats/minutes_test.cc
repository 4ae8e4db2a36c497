#include "jobs/stats/minutes.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

constexpr TimeMs kStart = 1'767'225'600'000;  // a whole hour

int64_t PagesOf(const Minutes& minutes) {
  int64_t pages = 0;
  for (const auto& [at_ms, sums] : minutes.steps()) pages += sums.pages;
  return pages;
}

TEST(Minutes, SumWhatFallsIntoOneMinute) {
  Minutes minutes;
  minutes.Add(kStart + 59'999, {.pages = 1, .bytes = 10, .requests = 2, .errors = 1});
  minutes.Add(kStart, {.pages = 2, .bytes = 20, .requests = 2, .errors = 0});
  minutes.Add(kStart + 60'000, {.pages = 4});
  EXPECT_EQ(DumpJson(ToJson(minutes)),
            R"({"step_ms":60000,"rows":[[1767225600000,3,30,4,1],[1767225660000,4,0,0,0]]})");
}

TEST(Minutes, OfALongFetchAreFewerAndLoseNothing) {
  Minutes minutes;
  for (int64_t minute = 0; minute < 10'000; ++minute) minutes.Add(kStart + minute * 60'000, {.pages = 1});
  EXPECT_LE(minutes.steps().size(), Minutes::kMost);
  EXPECT_EQ(minutes.step_ms(), 8 * 60'000);
  EXPECT_EQ(PagesOf(minutes), 10'000);
}

TEST(Minutes, OfTwoListsAreOne) {
  Minutes wide, fine;
  for (int64_t minute = 0; minute < 2000; ++minute) wide.Add(kStart + minute * 60'000, {.pages = 1});
  fine.Add(kStart + 60'000, {.pages = 5});
  fine.Merge(wide);
  EXPECT_EQ(fine.step_ms(), wide.step_ms());
  EXPECT_EQ(fine.steps().begin()->second.pages, 7);
  EXPECT_EQ(PagesOf(fine), 2005);
  EXPECT_EQ(MinutesFromJson(ToJson(fine))->steps(), fine.steps());
  EXPECT_FALSE(MinutesFromJson({{"step_ms", 1}, {"rows", {{1, 2}}}}).ok());
}

}  // namespace
}  // namespace trawl
