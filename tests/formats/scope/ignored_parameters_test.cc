#include "formats/scope/ignored_parameters.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

TEST(IgnoredParameters, LeaveTheRestOfTheUrl) {
  const auto parameters =
      IgnoredParameters::Parse("# learned\n\nA.example sort\r\na.example\tsid  \nb.example %20\n", "idle.txt");
  ASSERT_OK(parameters);
  struct Case {
    const char *url, *rest;  // rest: null where nothing is taken out
  };
  for (const Case& c :
       {Case{"https://a.example/p?id=1&sid=2&sort=up", "https://a.example/p?id=1"},
        Case{"http://a.example:81/p?sid", "http://a.example:81/p"},
        Case{"https://a.example/p?sid=1&sid=2&x", "https://a.example/p?x"}, Case{"https://a.example/p?sids=1", nullptr},
        Case{"https://a.example/sort?", nullptr}, Case{"https://www.a.example/p?sid=1", nullptr},
        Case{"https://b.example/?%20=1", "https://b.example/"}}) {
    std::string url = c.url;
    UrlPieces pieces;
    ASSERT_TRUE(SplitWebUrl(url, &pieces));
    EXPECT_EQ(parameters->Remove(&url, &pieces), c.rest != nullptr) << c.url;
    EXPECT_EQ(url, c.rest != nullptr ? c.rest : c.url);
    EXPECT_EQ(pieces.path.data() - url.data(), static_cast<std::ptrdiff_t>(url.find('/', 8)))
        << "views into the new URL";
  }
}

TEST(IgnoredParameters, LearnedOnesHoldForPagesOfOneForm) {
  IgnoredParameters parameters;
  const std::string rule = LearnedRule("example,a)/list/#?id&page", "sid");
  EXPECT_EQ(rule, "example,a)/list/#? sid");
  EXPECT_TRUE(IsLearnedRule(rule));
  EXPECT_FALSE(IsLearnedRule("example,a)/list/#?sid"));
  EXPECT_EQ(PartsOfLearnedRule(rule).pattern, "example,a)/list/#");
  EXPECT_EQ(PartsOfLearnedRule(rule).name, "sid");
  parameters.AddLearned(rule);
  const auto rest = [&](std::string url) {
    UrlPieces pieces;
    EXPECT_TRUE(SplitWebUrl(url, &pieces));
    parameters.Remove(&url, &pieces);
    return url;
  };
  EXPECT_EQ(rest("https://a.example/list/7?id=1&sid=2"), "https://a.example/list/7?id=1");
  EXPECT_EQ(rest("https://a.example/list/8?other=1&sid=2"), "https://a.example/list/8?other=1");
  EXPECT_EQ(rest("https://a.example/other/8?sid=2"), "https://a.example/other/8?sid=2");
  EXPECT_EQ(rest("http://a.example/list/8?sid=2"), "http://a.example/list/8?sid=2") << "another scheme is another form";
  EXPECT_EQ(rest("https://b.example/list/8?sid=2"), "https://b.example/list/8?sid=2");
}

TEST(IgnoredParameters, NameTheLineThatMakesNoSense) {
  for (const char* wrong :
       {"a.example", "a.example sort up", "a.example sort=up", "https://a.example/ sort", "a..b x"}) {
    const auto parsed = IgnoredParameters::Parse(std::string("b.example x\n") + wrong, "idle.txt");
    ASSERT_FALSE(parsed.ok()) << wrong;
    EXPECT_TRUE(parsed.status().message().starts_with("idle.txt:2: write a host")) << parsed.status().message();
  }
}

}  // namespace
}  // namespace trawl
