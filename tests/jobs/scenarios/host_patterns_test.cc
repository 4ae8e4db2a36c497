// trawl host: patterns, mirrors and suggestions, and what --clear forgets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/rows/settle_rows.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/process/trawl_command.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using testing::HasSubstr;

PatternRow Pattern(const std::string& key, int64_t fetched, int32_t budget) {
  PatternRow row;
  row.key = key;
  row.fetched = fetched * 1000;
  row.duplicates = row.fetched / 2;
  row.fresh = row.fetched - row.duplicates;
  row.fetched_ever = fetched + 100;
  row.counted_ms = 1'767'225'600'000;
  row.budget = budget;
  return row;
}

class HostPatterns : public ::testing::Test {
 protected:
  BinaryResult Host(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "host");
    arguments.insert(arguments.end(), {"--root", crawl_.root()});
    return Trawl(arguments);
  }
  SegmentFixture crawl_;
};

TEST_F(HostPatterns, AreShownMostFetchedFirst) {
  ASSERT_OK(crawl_.Put<PatternRow>(
      {Pattern("com,a)/calendar/#?day", 40, 2), Pattern("com,a)/p#", 60, -1), Pattern("com,a,www)/p#", 90, -1)}));
  const Json json = AnswerOf(Host({"a.com", "--patterns", "--json"}));
  ASSERT_EQ(json["patterns"].size(), 2U);
  EXPECT_EQ(json["patterns"][0]["pattern"], "https://a.com/p#");
  EXPECT_TRUE(json["patterns"][0]["budget"].is_null());
  const Json& calendar = json["patterns"][1];
  EXPECT_EQ(calendar["pattern"], "https://a.com/calendar/#?day");
  EXPECT_EQ(calendar["fetched"], 40);
  EXPECT_EQ(calendar["new"], 20);
  EXPECT_EQ(calendar["duplicates"], 20);
  EXPECT_EQ(calendar["fetched_ever"], 140);
  EXPECT_EQ(calendar["budget"], 2);
  const std::string text = Host({"a.com", "--patterns"}).out;
  EXPECT_THAT(text, HasSubstr("     40   20      0    20     0      0      0       2  https://a.com/calendar/#?day\n"));
  EXPECT_THAT(Host({"b.com", "--patterns"}).out, HasSubstr("the crawl knows no host b.com"));
}

TEST_F(HostPatterns, ClearForgetsThemAndNothingElse) {
  HostRow host;
  host.key = "com,a";
  host.suspected_trap = true;
  host.pages = 5;
  ASSERT_OK(crawl_.Put<HostRow>({host}));
  ASSERT_OK(crawl_.Put<PatternRow>(
      {Pattern("com,a)/p#", 60, 1), Pattern("com,a)http/p#", 60, 1), Pattern("com,a,www)/p#", 90, 1)}));
  ASSERT_OK(crawl_.Put<UrlRow>({UnfetchedRow("com,a)/p1")}));
  const Json cleared = AnswerOf(Host({"a.com", "--clear", "patterns", "--json"}));
  EXPECT_EQ(cleared["rows_changed"], 1);
  EXPECT_EQ(cleared["patterns_forgotten"], 2);
  EXPECT_FALSE(crawl_.Find<PatternRow>("com,a)/p#"));
  EXPECT_TRUE(crawl_.Find<PatternRow>("com,a,www)/p#"));
  EXPECT_EQ(crawl_.Find<HostRow>("com,a"), host);
  EXPECT_EQ(AnswerOf(Host({"a.com", "--clear", "patterns", "--json"}))["changed"], false);

  const Json all = AnswerOf(Host({"www.a.com", "a.com", "--clear", "all", "--json"}));
  EXPECT_EQ(all["rows_changed"], 2);
  EXPECT_FALSE(crawl_.Find<PatternRow>("com,a,www)/p#"));
  EXPECT_FALSE(crawl_.Find<HostRow>("com,a")->suspected_trap);
}

TEST_F(HostPatterns, MirrorsAndSuggestionsComeFromItsPages) {
  std::vector<UrlRow> rows;
  for (int i = 0; i < 21; ++i) {
    for (const std::string origin : {"com,a)", "com,a)http"}) {
      UrlRow row = UnfetchedRow(origin + "/p?id=7&sid=" + std::to_string(i));
      row.state = UrlState::kFetched;
      row.content_digest = "same";
      rows.push_back(row);
    }
  }
  ASSERT_OK(crawl_.Put<UrlRow>(rows));
  const Json host = AnswerOf(Host({"a.com", "--json"}));
  ASSERT_EQ(host["mirrors"].size(), 1U);
  EXPECT_EQ(host["mirrors"][0]["kind"], "scheme");
  EXPECT_THAT(Host({"a.com"}).out, HasSubstr("http and https lead to the same pages: equal in 21 of 21 pairs\n"));

  const Json suggest = AnswerOf(Host({"a.com", "--suggest", "--json"}));
  ASSERT_EQ(suggest["suggestions"].size(), 2U) << "of each scheme";
  EXPECT_EQ(suggest["suggestions"][0]["parameter"], "sid");
  EXPECT_EQ(suggest["suggestions"][0]["rule"], "a.com sid");
  EXPECT_EQ(Host({"a.com", "--suggest"}).out,
            "# https://a.com/p?id&sid: sid changed nothing in 20 pairs of pages\n"
            "a.com sid\n"
            "# http://a.com/p?id&sid: sid changed nothing in 20 pairs of pages\n");
  EXPECT_EQ(Host({"a.com", "--suggest", "--block"}).exit_code, 2);
  EXPECT_EQ(Host({"a.com", "--suggest", "--patterns"}).exit_code, 2);
}

}  // namespace
}  // namespace trawl
