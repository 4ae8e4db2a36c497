#include "formats/scope/rules.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/url/pieces.h"

namespace trawl {
namespace {

UrlRules::Verdict Check(const UrlRules& rules, std::string_view url) {
  UrlPieces pieces;
  return rules.Check(url, SplitWebUrl(url, &pieces) ? pieces.host : std::string_view());
}

TEST(UrlRules, FirstMatchDecidesAndNoneIsARefusal) {
  const UrlRules rules = UrlRules::Parse("+/keep\n-/a\n+/a/b\n", "rules.txt").ValueOrDie();
  EXPECT_EQ(rules.size(), 3u);
  EXPECT_EQ(rules.file(), "rules.txt");
  EXPECT_TRUE(Check(rules, "https://e.example/a/keep").accepted);
  EXPECT_FALSE(Check(rules, "https://e.example/a/b").accepted);
  EXPECT_EQ(Check(rules, "https://e.example/a/b").line, 2u);
  EXPECT_EQ(Check(rules, "https://e.example/a/b").rule, "-/a");
  EXPECT_FALSE(Check(rules, "https://e.example/other").accepted);
  EXPECT_EQ(Check(rules, "https://e.example/other").line, 0u);
}

TEST(UrlRules, CommentsBlanksAndEndsOfLines) {
  const UrlRules rules = UrlRules::Parse("\xef\xbb\xbf# comment\r\n\r\n  spaces\r\n-\\.gif$\r\n+.", "r").ValueOrDie();
  EXPECT_EQ(rules.size(), 2u);
  EXPECT_FALSE(Check(rules, "https://e.example/x.gif").accepted);
  EXPECT_EQ(Check(rules, "https://e.example/x.gif").line, 4u);
  EXPECT_TRUE(Check(rules, "https://e.example/x.gift").accepted);
  EXPECT_EQ(UrlRules::Parse("", "r")->size(), 0u);
  EXPECT_FALSE(Check(*UrlRules::Parse("", "r"), "https://e.example/").accepted);
}

TEST(UrlRules, SectionsApplyToTheirHostOrDomain) {
  const UrlRules rules = UrlRules::Parse(
                             "> example.org\n-skip\n<\n"
                             ">www.example.com \n+skip\n<\n"
                             "> github.io\n+.\n"
                             "> 192.0.2.1\n+.\n"
                             "<\n-.\n",
                             "r")
                             .ValueOrDie();
  struct {
    const char* url;
    bool accepted;
    uint32_t line;
  } cases[] = {
      {"https://example.org/skip", false, 2},    {"https://www.example.org/skip", false, 2},
      {"https://www.example.com/skip", true, 5}, {"https://a.www.example.com/skip", false, 12},
      {"https://example.com/skip", false, 12},   {"https://xexample.org/skip", false, 12},
      {"https://github.io/x", true, 8},          {"https://someone.github.io/x", false, 12},
      {"https://192.0.2.1/x", true, 10},         {"https://192.0.2.11/x", false, 12},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Check(rules, c.url).accepted, c.accepted) << c.url;
    EXPECT_EQ(Check(rules, c.url).line, c.line) << c.url;
  }
}

TEST(UrlRules, WhatCannotBeRunIsRefusedByFileAndLine) {
  for (const char* rule :
       {"-(/[^/]+)/[^/]+\\1/[^/]+\\1/", "-(?!x)y", "-(?<=x)y", "-a++", "-[a-z&&[^q]]", "-(", "-[", "-\\", "-a{2000}",
        "*.gif", "https://e.example/", "\t-x", ">", ">  ", "-((a{100}){100}){100}", "-\xff"}) {
    const auto rules = UrlRules::Parse(std::string("+.\n") + rule + "\n", "my-rules.txt");
    ASSERT_FALSE(rules.ok()) << rule;
    EXPECT_EQ(rules.status().message().substr(0, 16), "my-rules.txt:2: ") << rules.status();
  }
}

// A pattern for which backtracking matchers need exponential time, on the longest possible URL.
TEST(UrlRules, MatchingIsLinear) {
  const UrlRules rules = UrlRules::Parse("-(a*)*(a|a)*(.*.*.*)*b$\n+.\n", "r").ValueOrDie();
  EXPECT_TRUE(Check(rules, "https://e.example/" + std::string(1 << 20, 'a')).accepted);
}

// Thousands of rules are more than one automaton holds. The first one still decides.
TEST(UrlRules, ManyRulesDecideAsFewDo) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "-/x" + std::to_string(i) + "/.*[a-z]{1,30}y" + std::to_string(i) + "$\n";
  const UrlRules rules = UrlRules::Parse(text + "+.\n", "r").ValueOrDie();
  EXPECT_EQ(Check(rules, "https://e.example/x4321/abcy4321").line, 4322u);
  EXPECT_EQ(Check(rules, "https://e.example/x1/x2/abcy2").line, 3u);
  EXPECT_EQ(Check(rules, "https://e.example/").line, 5001u);
}

}  // namespace
}  // namespace trawl
