// What becomes of links of a host some of whose parameters change nothing.
#include "jobs/parse/link_sifter.h"

#include <gtest/gtest.h>

#include <utility>

#include "formats/url/key.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

TEST(LinkSifter, LeavesOutIgnoredParameters) {
  CrawlScopeOptions options;
  options.max_parameters = 1;
  ASSERT_OK_AND_ASSIGN(options.ignored, IgnoredParameters::Parse("a.example sid\n", "idle.txt"));
  ASSERT_OK_AND_ASSIGN(const CrawlScope scope, CrawlScope::Make(std::move(options)));
  LinkSifter sifter(NormalForm::kStandard, scope);
  ContentRow page;
  page.key = "example,a)/p?sid=1";  // an old URL stays what it is
  std::vector<LinkRow> links;
  ASSERT_OK_AND_ASSIGN(const BaseUrl base, BaseUrl::Make("https://a.example/p?sid=1"));
  sifter.Begin(page, &links);
  for (const char* href : {"/q?Z=%7e&sid=2", "/q?sid=3&Z=~", "/p?sid=2", "https://b.example/?sid=4"}) {
    sifter.Add({.href = href, .how = "a"}, base);
  }
  ASSERT_EQ(links.size(), 3U);
  EXPECT_EQ(links[0].to, "example,a)/q?Z=~");
  EXPECT_EQ(links[0].url, "") << "asked for as the key says";
  EXPECT_EQ(links[1].to, "example,a)/p");
  EXPECT_EQ(links[2].to, "example,b)/?sid=4");
  EXPECT_EQ(sifter.counts().repeated, 1);
  std::string url;
  EXPECT_EQ(sifter.KeyOf("/c?sid=9", base, &url), "example,a)/c");
  EXPECT_EQ(url, "https://a.example/c");
}

}  // namespace
}  // namespace trawl
