// The fetch job against the test web: what is asked, what is written of it, and how the next step finds it.
#include <gtest/gtest.h>

#include "formats/digests/digest.h"
#include "formats/text/utf8.h"
#include "tests/support/crawl/fetch_scene.h"
#include "tests/support/process/run_binary.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

TestPage Page(const std::string& body) { return {.body = body}; }

TEST(Fetch, PagesAreStoredWithWhatWasAnswered) {
  TestWeb web;
  web.AddHost("a.test",
              ServePages({{"/", Page("<p>home")}, {"/b", {.body = "<p>b", .etag = "\"v1\"", .coding = "gzip"}}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  ASSERT_OK_AND_ASSIGN(const JobResult result,
                       scene.FetchUrls({"http://a.test/", "http://a.test/b", "http://a.test/none"}));
  EXPECT_TRUE(result.changed);
  EXPECT_EQ(result.output.counters.Get("pages"), 2);
  EXPECT_EQ(result.output.counters.Get("fetched"), 3);

  const FetchRow b = scene.RowOf("http://a.test/b");
  EXPECT_EQ(b.outcome, Outcome::kFetched);
  EXPECT_EQ(b.status, 200);
  EXPECT_EQ(b.etag, "\"v1\"");
  EXPECT_EQ(b.bytes, 4);
  EXPECT_EQ(b.body_digest, Sha256Of("<p>b"));
  EXPECT_EQ(b.requests, 1);
  EXPECT_EQ(b.began_ms, b.fetched_ms - b.total_ms);
  EXPECT_EQ(b.http_version, "1.1");
  EXPECT_FALSE(b.listed.empty());
  EXPECT_NE(b.request_headers.find("User-Agent: trawl/"), std::string::npos);
  EXPECT_EQ(scene.RowOf("http://a.test/none").outcome, Outcome::kClientError);

  std::map<std::string, ContentRow> contents;
  for (const ContentRow& row : scene.Dataset<ContentRow>()) contents[row.url] = row;
  EXPECT_EQ(contents["http://a.test/b"].body, "<p>b");
  EXPECT_EQ(contents["http://a.test/b"].began_ms, b.began_ms);
  EXPECT_EQ(contents["http://a.test/"].body, "<p>home");
  ASSERT_EQ(scene.Dataset<HostRow>().size(), 1u);
  EXPECT_EQ(scene.Dataset<HostRow>()[0].pages, 3);
  EXPECT_EQ(scene.Dataset<RobotsRow>().size(), 1u);
}

TEST(Fetch, RobotsDeniesByLine) {
  TestWeb web;
  web.AddHost("a.test",
              ServePages({{"/robots.txt", {.content_type = "text/plain", .body = "User-agent: *\nDisallow: /no\n"}},
                          {"*", Page("x")}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  ASSERT_OK(scene.FetchUrls({"http://a.test/no", "http://a.test/yes"}));
  const FetchRow no = scene.RowOf("http://a.test/no");
  EXPECT_EQ(no.outcome, Outcome::kRobotsDenied);
  EXPECT_EQ(no.robots_line, 2);
  EXPECT_EQ(no.robots_rule, "Disallow: /no");
  EXPECT_EQ(scene.RowOf("http://a.test/yes").outcome, Outcome::kFetched);
  EXPECT_EQ(web.Log().size(), 2u);
}

TEST(Fetch, TheBinaryDoesTheSameAndDoesItOnce) {
  TestWeb web;
  web.AddHost("a.test", ServePages({{"*", Page("x")}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  ASSERT_OK(scene.Open({{.urls = ListedUrls({"http://a.test/1", "http://a.test/2"})}}));
  std::vector<std::string> arguments = scene.Arguments();
  const BinaryResult first = RunBinary({.arguments = arguments});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_NE(first.out.find("\"pages\":2"), std::string::npos) << first.out;
  const BinaryResult second = RunBinary({.arguments = arguments});
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_NE(second.out.find("\"changed\":false"), std::string::npos) << second.out;
  EXPECT_EQ(web.Log().size(), 3u);
}

// Other programs refuse a file whose texts are no UTF-8.
TEST(Fetch, TextsOfARowAreUtf8WhateverTheServerWrites) {
  TestWeb web;
  web.AddHost("site.com",
              ServePages({{"/robots.txt", {.content_type = "text/plain", .body = "User-agent: *\nDisallow: /n\xfc\n"}},
                          {"/type", {.content_type = "text/html; charset=\xfctf", .body = "<p>a"}},
                          {"/refused", {.content_type = "image/\xfc", .body = "a"}},
                          {"/coding", {.body = "<p>b", .headers = {{"Content-Encoding", "gz\xfcip"}}}}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  const std::vector<std::string> urls = {"http://site.com/type", "http://site.com/refused", "http://site.com/coding",
                                         "http://site.com/n%FC"};
  ASSERT_OK(scene.FetchUrls(urls));
  for (const std::string& url : urls) {
    const FetchRow row = scene.RowOf(url);
    for (const std::string* text : {&row.content_type, &row.reason, &row.kept_codings, &row.robots_rule}) {
      EXPECT_EQ(ValidUtf8Prefix(*text), text->size()) << url << ": " << *text;
    }
  }
  EXPECT_EQ(scene.RowOf("http://site.com/type").content_type, "text/html; charset=\xef\xbf\xbdtf");
  const FetchRow coding = scene.RowOf("http://site.com/coding");
  EXPECT_EQ(coding.kept_codings, "gz\xef\xbf\xbdip");
  EXPECT_NE(coding.response_headers.find("gz\xfcip"), std::string::npos) << "heads are kept as they came";
}

}  // namespace
}  // namespace trawl
