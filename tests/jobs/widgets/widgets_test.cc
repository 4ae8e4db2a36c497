// Markup that is safe by its type, tables, and the search for stragglers.
#include <gtest/gtest.h>

#include "jobs/widgets/markup.h"
#include "jobs/widgets/round_parts.h"
#include "jobs/widgets/table.h"
#include "jobs/widgets/values.h"

namespace trawl {
namespace {

TEST(Markup, TextIsEscapedAndLiteralsAreNot) {
  const Markup made = "<b>" + Text("<&\"'>") + "</b>";
  EXPECT_EQ(made.html(), "<b>&lt;&amp;&quot;&#39;&gt;</b>");
  EXPECT_EQ(Foreign("\xD7\x90").html(), "<bdi>\xD7\x90</bdi>");
  EXPECT_EQ(Foreign("").html(), "");
}

TEST(Markup, TimesAreExactAndInUtc) {
  EXPECT_EQ(At(1'795'129'858'924).html(), "<time datetime=\"2026-11-19T23:10:58.924Z\">2026-11-19 23:10:58</time>");
  EXPECT_EQ(At(0).html(), "");
  EXPECT_EQ(At(kNever).html(), "");
  EXPECT_EQ(AgeText(1'000'000, 1'000'400), "now");
  EXPECT_EQ(AgeText(1'000'000, 1'061'000), "1 min 1 s ago");
  EXPECT_EQ(AgeText(1'061'000, 1'000'000), "in 1 min 1 s");
}

TEST(Markup, PausesAreCutAndNeverRoundedUp) {
  EXPECT_EQ(ExactDuration(999), "999 ms");
  EXPECT_EQ(ExactDuration(1'999), "1.99 s");
  EXPECT_EQ(ExactDuration(2'000), "2 s");
  EXPECT_EQ(ExactDuration(59'999), "59.99 s");
  EXPECT_EQ(ExactDuration(60'000), "1 min");
}

TEST(Markup, OnlyUrlsOfTheWebBecomeLinks) {
  EXPECT_EQ(UrlLink("javascript:alert(1)").html(), "<bdi>javascript:alert(1)</bdi>");
  EXPECT_EQ(UrlLink("https://a.example/?b=c").html(),
            "<a href=\"/url?url=https%3A%2F%2Fa.example%2F%3Fb%3Dc\"><bdi>https://a.example/?b=c</bdi></a>");
}

TEST(HtmlTable, HeadersSayWhatTheyHead) {
  HtmlTable table("Hosts", {{"Host"}, {"Pages", ColumnKind::kNumber}});
  table.Add({Foreign("a"), {Number(1'234), 1'234}});
  const std::string html = table.Finish("t", "none").html();
  EXPECT_NE(html.find("<caption id=\"t\">Hosts</caption>"), std::string::npos);
  EXPECT_NE(html.find("<th scope=\"col\">Host</th><th scope=\"col\" class=\"number\">Pages</th>"), std::string::npos);
  EXPECT_NE(
      html.find("<tr><th scope=\"row\"><bdi>a</bdi></th><td class=\"number\" data-order=\"1234\">1,234</td></tr>"),
      std::string::npos);
  EXPECT_EQ(HtmlTable("x", {{"y"}}).Finish("t", "none").html(), "<p class=\"quiet\">none</p>\n");
}

TEST(Stragglers, AreListsWithTwiceTheMedianOrMore) {
  EXPECT_TRUE(FindStragglers({}).lists.empty());
  EXPECT_TRUE(FindStragglers({{0, 5'000}}).lists.empty()) << "one list alone is no straggler";
  EXPECT_TRUE(FindStragglers({{0, 100}, {1, 110}, {2, 190}}).lists.empty());
  const Stragglers found = FindStragglers({{0, 100}, {1, 300}, {2, 110}, {3, 900}, {4, 105}});
  ASSERT_EQ(found.lists.size(), 2u);
  EXPECT_EQ(found.median_ms, 110);
  EXPECT_EQ(found.lists[0].list, 3);
  EXPECT_EQ(found.lists[1].list, 1);
  EXPECT_TRUE(found.Has(1));
  EXPECT_FALSE(found.Has(0));
  // Of two lists, the longer one may be the straggler.
  EXPECT_EQ(FindStragglers({{0, 100}, {1, 300}}).lists.size(), 1u);
  EXPECT_TRUE(FindStragglers({{0, 0}, {1, 0}}).lists.empty());
}

TEST(Values, WhatIsMissingOrOfAnotherTypeIsEmpty) {
  const Json json = {{"text", 7}, {"count", "x"}, {"list", Json::object()}, {"time", "2026-11-19T00:00:00Z"},
                     {"ms", 5},   {"real", 2.6}};
  EXPECT_EQ(TextAt(json, "text"), "");
  EXPECT_EQ(CountAt(json, "count"), 0);
  EXPECT_EQ(CountAt(json, "real"), 3);
  EXPECT_EQ(CountAt({{"huge", 1e300}}, "huge"), 0);
  EXPECT_TRUE(ListAt(json, "list").empty());
  EXPECT_TRUE(ListAt(nullptr, "list").empty());
  EXPECT_EQ(TimeAt(json, "time"), 1'795'046'400'000);
  EXPECT_EQ(TimeAt(json, "ms"), 5);
  EXPECT_FALSE(IsAt(json, "text"));
  EXPECT_EQ(Readable({1, "a", true}), "1, a, yes");
}

}  // namespace
}  // namespace trawl
