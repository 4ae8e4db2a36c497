#include "runtime/job/counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trawl {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(Counters, SumsAreOrderedByNameAndMerge) {
  Counters one, other;
  int64_t& lines = one["lines"];
  one["bad"] += 2;
  lines += 3;
  ++lines;
  other["lines"] += 1;
  other["new"] += 1;
  one.Merge(other);
  EXPECT_THAT(one.counts(), ElementsAre(Pair("bad", 2), Pair("lines", 5), Pair("new", 1)));
  EXPECT_EQ(one.Get("lines"), 5);
  EXPECT_EQ(one.Get("none"), 0);
  EXPECT_EQ(lines, 5) << "a count that was looked up stays the same count";
}

TEST(Counters, JsonGoesBothWays) {
  Counters counters;
  counters["two"] = 2;
  counters["one"] = -1;
  EXPECT_EQ(DumpJson(ToJson(counters)), R"({"one":-1,"two":2})");
  const auto back = CountersFromJson(ToJson(counters));
  ASSERT_TRUE(back.ok()) << back.status().ToString();
  EXPECT_EQ(*back, counters);
  for (const char* bad : {"[]", R"({"a":"1"})", R"({"a":1.5})", "3"}) {
    EXPECT_FALSE(CountersFromJson(*ParseJson(bad)).ok()) << bad;
  }
}

TEST(Samples, TextIsCutButNotWithinACharacter) {
  Samples samples;
  samples.Add({"f", 1, "bad", std::string(199, 'x') + "ä and more"});
  EXPECT_EQ(samples.samples().begin()->text, std::string(199, 'x') + "…");
}

TEST(Samples, ReadableSaysWhere) {
  EXPECT_EQ((Sample{"seeds.txt", 17, "no host", "http://"}.Readable()), "seeds.txt:17: no host (http://)");
  EXPECT_EQ((Sample{"a.example", 0, "unreachable", ""}.Readable()), "a.example: unreachable");
}

TEST(Samples, TheChoiceDependsOnNeitherCutNorOrder) {
  constexpr int64_t kRows = 5'000;
  Samples whole;
  for (int64_t row = 1; row <= kRows; ++row) whole.Add({"f", row, "bad", std::to_string(row)});
  ASSERT_EQ(whole.samples().size(), Samples::kMost);
  for (const int64_t parts : {1, 3, 100}) {
    std::vector<Samples> cut(static_cast<size_t>(parts));
    for (int64_t row = kRows; row >= 1; --row) {
      cut[static_cast<size_t>(row % parts)].Add({"f", row, "bad", std::to_string(row)});
    }
    Samples merged;
    for (auto part = cut.rbegin(); part != cut.rend(); ++part) merged.Merge(*part);
    EXPECT_EQ(merged, whole) << parts << " parts";
  }
}

TEST(Samples, JsonGoesBothWays) {
  Samples samples;
  for (int row = 1; row <= 100; ++row) samples.Add({"f", row, "bad", "x"});
  const auto back = SamplesFromJson(ToJson(samples));
  ASSERT_TRUE(back.ok()) << back.status().ToString();
  EXPECT_EQ(*back, samples);
  for (const char* bad : {"{}", "[1]", R"([{"source":"f"}])"})
    EXPECT_FALSE(SamplesFromJson(*ParseJson(bad)).ok()) << bad;
}

}  // namespace
}  // namespace trawl
