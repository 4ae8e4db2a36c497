// Tests the test web itself: other tests rely on its log.
#include "tests/support/web/test_web.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "formats/documents/json.h"
#include "tests/support/process/run_binary.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/web/fetch_all.h"
#include "tests/support/web/link_graph.h"

namespace trawl {
namespace {

TestLogEntry Entry(const std::string& host, int64_t start_us, int64_t end_us) {
  TestLogEntry entry;
  entry.host = host;
  entry.start_us = start_us;
  entry.end_us = end_us;
  return entry;
}

TEST(TestWebLog, GapsAndOverlaps) {
  const std::vector<TestLogEntry> log = {Entry("a", 5'000, 9'000), Entry("a", 0, 2'000),     Entry("b", 0, 4'000),
                                         Entry("b", 3'000, 5'000), Entry("b", 3'500, 3'600), Entry("c", 0, 1'000),
                                         Entry("d", 0, -1),        Entry("d", 9'000, 9'500)};
  EXPECT_EQ(MinGapMs(log, "a"), 3);
  EXPECT_EQ(MaxConcurrentPerHost(log, "a"), 1);
  EXPECT_EQ(MinGapMs(log, "b"), -1.5);
  EXPECT_EQ(MaxConcurrentPerHost(log, "b"), 3);
  EXPECT_GT(MinGapMs(log, "c"), 1e9);
  EXPECT_LT(MinGapMs(log, "d"), -1e9) << "an answer that never ended overlaps all that follow";
  EXPECT_EQ(MaxConcurrentPerHost(log, "d"), 2);
  std::string host;
  EXPECT_LT(MinGapMs(log, &host), -1e9);
  EXPECT_EQ(host, "d");
}

TEST(TestWeb, LinkGraphIsReachedFromItsHome) {
  const LinkGraph graph = {.hosts = 3, .pages = 30, .links = 3, .robots = "User-agent: *\nDisallow: /no\n"};
  TestWeb web;
  AddLinkGraph(graph, &web);
  ASSERT_OK(web.Start());
  ASSERT_OK_AND_ASSIGN(const auto client, HttpClient::Make(ClientOptionsFor(web), SystemClock()));
  std::vector<std::string> found = {LinkGraphUrl(graph, 0, 0)};
  for (size_t i = 0; i < found.size(); ++i) {
    const HttpAnswer answer = FetchOne(*client, found[i]);
    ASSERT_EQ(answer.status, 200) << found[i];
    EXPECT_GE(answer.body.size(), graph.page_bytes - 40);
    for (size_t at = answer.body.find("href=\""); at != std::string::npos; at = answer.body.find("href=\"", at + 1)) {
      std::string link = answer.body.substr(at + 6, answer.body.find('"', at + 6) - at - 6);
      if (link[0] == '/') link = found[i].substr(0, found[i].find('/', 8)) + link;
      if (std::find(found.begin(), found.end(), link) == found.end()) found.push_back(link);
    }
  }
  EXPECT_EQ(found.size(), 90u);
  EXPECT_EQ(FetchOne(*client, "http://h1.test/robots.txt").body, graph.robots);
  EXPECT_EQ(FetchOne(*client, "http://h1.test/p/30.html").status, 404);
  EXPECT_EQ(web.Log().size(), 92u);
  EXPECT_EQ(MaxConcurrentPerHost(web.Log(), "h0.test"), 1);
  EXPECT_GE(MinGapMs(web.Log()), 0);
}

TEST(TestWeb, PagesChangeAndAreValidated) {
  TestWeb web;
  web.AddHost("a.test", ServeChanging(2));
  ASSERT_OK(web.Start());
  ASSERT_OK_AND_ASSIGN(const auto client, HttpClient::Make(ClientOptionsFor(web), SystemClock()));
  HttpRequest request;
  request.url = "http://a.test/";
  EXPECT_EQ(FetchOne(*client, request).body, "<title>version 0</title>");
  request.headers = {{"If-None-Match", "\"v0\""}};
  EXPECT_EQ(FetchOne(*client, request).status, 304);
  EXPECT_EQ(FetchOne(*client, request).body, "<title>version 1</title>");
}

TEST(TestWeb, EveryHostHasAnAddressOfItsOwnOnLoopback) {
  TestWeb web;
  for (int i = 0; i < 600; ++i) web.AddHost(LinkGraphHost(i), ServePages({}));
  ASSERT_OK(web.Start());
  std::vector<IpAddress> addresses;
  for (const auto& [name, host] : web.hosts()) addresses.push_back(host.addresses[0]);
  std::sort(addresses.begin(), addresses.end());
  EXPECT_EQ(std::unique(addresses.begin(), addresses.end()), addresses.end());
  for (const IpAddress& address : addresses) EXPECT_EQ(ClassifyAddress(address), AddressClass::kLoopback);
  FixedHosts read;
  AddHostsFile(web.HostsFileText(), &read);
  EXPECT_EQ(read.size(), 600u);
  EXPECT_EQ(read["h7.test"].addresses, web.hosts().at("h7.test").addresses);
  EXPECT_EQ(read["h7.test"].http_port, web.hosts().at("h7.test").http_port);
}

TEST(TestWeb, ServesAsAProgram) {
  const char* program = std::getenv("TRAWL_TEST_WEB");
  if (program == nullptr) GTEST_SKIP() << "TRAWL_TEST_WEB is not set";
  const BinaryResult result = RunBinary(
      {.program = program, .arguments = {"--hosts", "3", "--pages", "2", "--https", "--log", "-"}, .input = ""});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  ASSERT_OK_AND_ASSIGN(const Json where, ParseJson(result.out.substr(0, result.out.find('\n'))));
  EXPECT_EQ(where["hosts"].size(), 3u);
  EXPECT_EQ(where["seeds"][2], "https://h2.test/");
}

}  // namespace
}  // namespace trawl
