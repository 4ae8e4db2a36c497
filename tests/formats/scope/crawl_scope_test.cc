#include "formats/scope/crawl_scope.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace trawl {
namespace {

CrawlScope Make(CrawlScopeOptions options) { return CrawlScope::Make(std::move(options)).ValueOrDie(); }

TEST(CrawlScope, DefaultsLetOrdinaryUrlsIn) {
  const CrawlScope policy = Make({});
  for (const char* url :
       {"https://e.example/", "http://192.0.2.1:8080/a/b?c=d", "https://e.example/?1&2&3&4&5&6&7&8&9&10"}) {
    EXPECT_TRUE(policy.Check(url, 1000).accepted) << url;
    EXPECT_EQ(policy.Check(url, 1000).by, UrlCheck::kAccepted);
  }
}

TEST(CrawlScope, EachCheckRefusesAndSaysSo) {
  CrawlScopeOptions options;
  options.schemes = {"https"};
  options.max_url_bytes = 100;
  options.max_parameters = 2;
  options.max_depth = 3;
  options.scope = UrlScope::kDomain;
  options.scope_hosts = {"www.e.example"};
  options.deny.push_back(*UrlList::Parse(UrlList::Kind::kHosts, "# bad\nbad.e.example\n", "deny.txt"));
  options.allow.push_back(
      *UrlList::Parse(UrlList::Kind::kPrefixes, "https://e.example/\nhttps://bad.e.example/\n", "allow.txt"));
  options.rules = *UrlRules::Parse("-\\.gif$\n+/in/\n", "rules.txt");
  const CrawlScope policy = Make(std::move(options));
  struct {
    std::string url;
    uint32_t depth;
    UrlCheck by;
    const char* words;
  } cases[] = {
      {"ftp://e.example/", 0, UrlCheck::kNotNormalised, "refused: is not a normalised URL"},
      {"https://E.example/", 0, UrlCheck::kNotNormalised, "refused: is not a normalised URL"},
      {"http://e.example/in/", 0, UrlCheck::kScheme, "refused: a scheme that is not wanted"},
      {"https://e.example/in/" + std::string(100, 'x'), 0, UrlCheck::kLength, "refused: longer than 100 bytes"},
      {"https://e.example/in/?a&b&c", 0, UrlCheck::kParameters, "refused: more than 2 query parameters"},
      {"https://e.example/in/a/a/a", 0, UrlCheck::kLoop, "refused: path segments that repeat 3 times or more"},
      {"https://e.example/in/", 4, UrlCheck::kDepth, "refused: more than 3 links away from a seed"},
      {"https://f.example/in/", 0, UrlCheck::kScope, "refused: outside the seeds' domains"},
      {"https://bad.e.example/in/", 0, UrlCheck::kDenyList, "refused by deny.txt:2"},
      {"https://other.e.example/in/", 0, UrlCheck::kAllowList, "refused: in no list of what is allowed"},
      {"https://e.example/in/x.gif", 0, UrlCheck::kRules, "refused by rules.txt:1: -\\.gif$"},
      {"https://e.example/out/", 0, UrlCheck::kRules, "refused: no rule of rules.txt matches"},
      {"https://e.example/in/x", 3, UrlCheck::kRules, "accepted by rules.txt:2: +/in/"},
  };
  for (const auto& c : cases) {
    const UrlVerdict verdict = policy.Check(c.url, c.depth);
    EXPECT_EQ(verdict.by, c.by) << c.url;
    EXPECT_EQ(policy.Explain(verdict), c.words);
    EXPECT_EQ(verdict.accepted, std::string_view(c.words).starts_with("accepted"));
  }
}

TEST(CrawlScope, AnAllowListNamesItsLineWhereThereAreNoRules) {
  CrawlScopeOptions options;
  options.allow.push_back(*UrlList::Parse(UrlList::Kind::kHosts, "a.example\n", "one.txt"));
  options.allow.push_back(*UrlList::Parse(UrlList::Kind::kDomains, "c.example\nb.example\n", "two.txt"));
  const CrawlScope policy = Make(std::move(options));
  EXPECT_EQ(policy.Explain(policy.Check("https://a.example/", 0)), "accepted by one.txt:1");
  EXPECT_EQ(policy.Explain(policy.Check("https://x.b.example/", 0)), "accepted by two.txt:2");
  EXPECT_FALSE(policy.Check("https://d.example/", 0).accepted);
}

}  // namespace
}  // namespace trawl
