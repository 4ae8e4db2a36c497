#include "formats/robots/directives.h"

#include <gtest/gtest.h>

#include <vector>

namespace trawl {
namespace {

constexpr int64_t kNow = 1'790'000'000'000;  // 2026-09-21

RobotsDirectives Read(const std::vector<const char*>& values, std::string_view agent = "examplebot") {
  HeaderList headers;
  for (const char* value : values) headers.Add("x-robots-tag", value);
  return XRobotsTagOf(headers, agent, kNow);
}

TEST(RobotsDirectives, DirectivesForEveryoneAndForUsCount) {
  const struct {
    std::vector<const char*> values;
    bool noindex;
    bool nofollow;
  } cases[] = {
      {{}, false, false},
      {{""}, false, false},
      {{"noindex"}, true, false},
      {{" NoIndex ,\tNOFOLLOW "}, true, true},
      {{"none"}, true, true},
      {{"all, index, follow"}, false, false},
      {{"index", "noindex"}, true, false},
      {{"examplebot: noindex"}, true, false},
      {{"ExampleBot : noindex, nofollow"}, true, true},
      {{"*: noindex"}, true, false},
      {{"otherbot: noindex, nofollow"}, false, false},
      {{"otherbot: noindex, examplebot: nofollow"}, false, true},
      {{"noindex, otherbot: nofollow"}, true, false},
      {{"otherbot: noindex", "nofollow"}, false, true},
      {{"examplebot2: noindex"}, false, false},
      {{"max-snippet:20, max-image-preview: large, noindex"}, true, false},
      {{"noindexing, no-index"}, false, false},
  };
  for (const auto& c : cases) {
    const RobotsDirectives directives = Read(c.values);
    const char* first = c.values.empty() ? "none at all" : c.values[0];
    EXPECT_EQ(directives.noindex, c.noindex) << first;
    EXPECT_EQ(directives.nofollow, c.nofollow) << first;
  }
}

TEST(RobotsDirectives, NoAgentIsEveryone) {
  EXPECT_TRUE(Read({"noindex"}, "").noindex);
  EXPECT_FALSE(Read({"examplebot: noindex", ": noindex"}, "").nofollow);
}

TEST(RobotsDirectives, EveryWordHasItsFlag) {
  const RobotsDirectives all = Read({"noarchive, nosnippet, noimageindex, notranslate, noai, noimageai"});
  EXPECT_TRUE(all.noarchive && all.nosnippet && all.noimageindex && all.notranslate && all.noai && all.noimageai);
  EXPECT_FALSE(all.noindex || all.nofollow);
  EXPECT_TRUE(Read({"nocache"}).noarchive);
}

TEST(RobotsDirectives, WordsMayStandWithoutCommas) {
  for (const char* value : {"noindex nofollow", "noindex;nofollow", "noindex ; NoFollow",
                            "examplebot: noindex nofollow", "index noindex nofollow,", ";;noindex\tnofollow"}) {
    const RobotsDirectives directives = Read({value});
    EXPECT_TRUE(directives.noindex && directives.nofollow) << value;
  }
  EXPECT_FALSE(Read({"otherbot: noindex nofollow"}).nofollow);
  EXPECT_TRUE(ParseRobotsDirectives("noindex nofollow, unavailable_after: 2030-01-01", kNow).nofollow);
}

TEST(RobotsDirectives, ASnippetOfNoCharactersIsNone) {
  EXPECT_TRUE(Read({"max-snippet: 0"}).nosnippet);
  EXPECT_FALSE(Read({"max-snippet:20, max-image-preview:0, max-snippet:-1"}).nosnippet);
}

TEST(RobotsDirectives, UnavailableAfterTakesDatesWithColonsAndCommas) {
  for (const char* value :
       {"unavailable_after: 25 Jun 2010 15:00:00 PST", "unavailable_after: Friday, 25-Jun-10 22:00:00 GMT",
        "unavailable_after:Fri, 25 Jun 2010 22:00:00 GMT", "Unavailable_After: 2010-06-25T15:00:00-07:00",
        "examplebot: unavailable_after: Fri, 25 Jun 2010 15:00:00 -0700"}) {
    // PST is eight hours west of UTC, the other zones in this table seven.
    const std::optional<int64_t> time_ms = Read({value}).unavailable_after_ms;
    ASSERT_TRUE(time_ms) << value;
    EXPECT_TRUE(*time_ms == 1277503200000 || *time_ms == 1277506800000) << value;
  }
}

TEST(RobotsDirectives, ADateLeavesTheNextDirectivesAlone) {
  const RobotsDirectives directives = Read({"unavailable_after: Fri, 25 Jun 2100 15:00:00 GMT, nofollow"});
  EXPECT_TRUE(directives.nofollow);
  EXPECT_FALSE(directives.NoIndexAt(kNow));
  EXPECT_TRUE(directives.NoIndexAt(*directives.unavailable_after_ms));
  EXPECT_TRUE(Read({"unavailable_after: soon, noindex"}).noindex);
  EXPECT_TRUE(Read({"unavailable_after: Friday, noindex"}).unavailable_after_ms == std::nullopt);
  EXPECT_FALSE(Read({"otherbot: unavailable_after: 25 Jun 2010 15:00:00 GMT"}).unavailable_after_ms);
}

TEST(RobotsDirectives, TheStrictestOfTwoCounts) {
  RobotsDirectives a = ParseRobotsDirectives("nofollow, unavailable_after: 2030-01-01", kNow);
  a.Merge(ParseRobotsDirectives("noarchive, unavailable_after: 2029-01-01", kNow));
  EXPECT_TRUE(a.nofollow && a.noarchive);
  EXPECT_EQ(a.unavailable_after_ms, 1861920000000);
}

}  // namespace
}  // namespace trawl
