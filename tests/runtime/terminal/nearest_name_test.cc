#include "runtime/terminal/nearest_name.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

TEST(NearestName, DistancesAreCounted) {
  const struct {
    const char* a;
    const char* b;
    int distance;
  } cases[] = {{"", "", 0},       {"", "abc", 3},           {"abc", "", 3},       {"abc", "abc", 0}, {"abc", "abd", 1},
               {"abc", "acb", 1}, {"kitten", "sitting", 3}, {"topn", "top_n", 1}, {"ca", "abc", 3}};
  for (const auto& c : cases) {
    EXPECT_EQ(EditDistance(c.a, c.b), c.distance) << c.a << " " << c.b;
    EXPECT_EQ(EditDistance(c.b, c.a), c.distance) << c.a << " " << c.b;
  }
}

TEST(NearestName, TheNearestIsOffered) {
  const std::vector<std::string> names = {"generate.top_n", "fetch.delay_ms", "root", "threads", "top_n"};
  const struct {
    const char* typed;
    const char* meant;
  } cases[] = {{"topn", "top_n"},
               {"treads", "threads"},
               {"rot", "root"},
               {"generate.topn", "generate.top_n"},
               {"thr", "threads"},
               {"zzz", ""},
               {"fetch.delay", "fetch.delay_ms"},
               {"", ""}};
  for (const auto& c : cases) EXPECT_EQ(NearestName(c.typed, names), c.meant) << c.typed;
}

TEST(NearestName, HugeNamesHaveNone) { EXPECT_EQ(NearestName(std::string(1 << 20, 'x'), {"xxx"}), ""); }

}  // namespace
}  // namespace trawl
