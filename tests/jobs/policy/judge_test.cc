#include "jobs/policy/judge.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace trawl {
namespace {

CrawlScope ScopeWith(const std::function<void(CrawlScopeOptions*)>& change) {
  CrawlScopeOptions options;
  change(&options);
  return CrawlScope::Make(std::move(options)).ValueOrDie();
}

TEST(JudgeUrl, SaysWhatTheUrlIs) {
  const CrawlScope scope = ScopeWith([](CrawlScopeOptions*) {});
  const JudgedUrl judged =
      JudgeUrl(scope, "HTTP://WWW.Example.co.uk:80/a?utm_source=x&b=1&a=2#f", NormalForm::kStandard, std::nullopt);
  EXPECT_TRUE(judged.accepted());
  EXPECT_EQ(judged.url, "http://www.example.co.uk/a?a=2&b=1");
  EXPECT_EQ(judged.key, "uk,co,example,www)http/a?a=2&b=1");
  EXPECT_EQ(judged.host, "www.example.co.uk");
  EXPECT_EQ(judged.domain, "example.co.uk");
  EXPECT_EQ(judged.parameters, 2);
  EXPECT_EQ(judged.repeated, "");
  EXPECT_EQ(judged.text, "accepted: no check refuses it");
}

TEST(JudgeUrl, NamesTheRuleAndTheOptionThatSetsIt) {
  const CrawlScope scope = ScopeWith([](CrawlScopeOptions* options) {
    options->max_url_bytes = 60;
    options->max_parameters = 2;
    options->max_depth = 3;
    options->scope = UrlScope::kDomain;
    options->scope_hosts = {"www.e.example"};
    options->deny.push_back(*UrlList::Parse(UrlList::Kind::kHosts, "bad.e.example\n", "deny.txt"));
    options->rules = *UrlRules::Parse("-\\.gif$\n+.\n", "rules.txt");
  });
  struct {
    std::string url;
    std::optional<uint32_t> depth;
    UrlCheck by;
    const char* text;
  } cases[] = {
      {"nothing", 0, UrlCheck::kNotNormalised, "refused: is not an absolute URL"},
      {"mailto:a@e.example", 0, UrlCheck::kNotNormalised, "refused: is neither http nor https"},
      {"https://e.example/" + std::string(50, 'x'), 0, UrlCheck::kLength,
       "refused: longer than 60 bytes: it has 68 (--urls.max_bytes)"},
      {"https://e.example/?a&b&c", 0, UrlCheck::kParameters,
       "refused: more than 2 query parameters: it has 3 (--urls.max_parameters)"},
      {"https://e.example/x/a/b/a/b/a/b", 0, UrlCheck::kLoop,
       "refused: path segments that repeat 3 times or more: /a/b/a/b/a/b (--urls.repeated_segments)"},
      {"https://e.example/", 4, UrlCheck::kDepth, "refused: more than 3 links away from a seed (--urls.depth)"},
      {"https://e.example/", std::nullopt, UrlCheck::kRules, "accepted by rules.txt:2: +."},
      {"https://f.example/", 0, UrlCheck::kScope, "refused: outside the seeds' domains (--urls.scope)"},
      {"https://bad.e.example/", 0, UrlCheck::kDenyList, "refused by deny.txt:1"},
      {"https://e.example/x.gif", 0, UrlCheck::kRules, "refused by rules.txt:1: -\\.gif$ (--urls.scope_rules)"},
  };
  for (const auto& c : cases) {
    const JudgedUrl judged = JudgeUrl(scope, c.url, NormalForm::kStandard, c.depth);
    EXPECT_EQ(judged.verdict.by, c.by) << c.url;
    EXPECT_EQ(judged.text, c.text);
    EXPECT_EQ(judged.accepted(), std::string_view(c.text).starts_with("accepted"));
  }
}

TEST(JudgeUrl, LoopsMayBeAllowed) {
  const std::string url = "https://e.example/a/a/a/a";
  const auto with = [&url](size_t times) {
    const CrawlScope scope = ScopeWith([times](CrawlScopeOptions* options) { options->repeated_segments = times; });
    return JudgeUrl(scope, url, NormalForm::kStandard, 0).accepted();
  };
  EXPECT_TRUE(with(0));
  EXPECT_FALSE(with(3));
  EXPECT_FALSE(with(4));
  EXPECT_TRUE(with(5));
}

}  // namespace
}  // namespace trawl
