// Servers that break every rule, beside good ones: these complete, everything has an outcome, and memory stays bounded.
#include <gtest/gtest.h>

#include "tests/support/crawl/fetch_scene.h"
#include "tests/support/process/own_memory.h"
#include "tests/support/process/sanitized.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/web/bad_hosts.h"
#include "tests/support/web/worse_hosts.h"

namespace trawl {
namespace {

constexpr int kGoodHosts = 10, kGoodPages = 10;

void FetchBesideBadHosts(bool robots) {
  TestWeb web;
  AddBadHosts(robots, &web);
  std::vector<std::string> urls;
  for (int host = 0; host < kGoodHosts; ++host) {
    const std::string name = "good" + std::to_string(host) + ".test";
    web.AddHost(name, ServePages({{"/robots.txt", NotFound()}, {"*", {.body = "good"}}}));
    for (int page = 0; page < kGoodPages; ++page) urls.push_back("http://" + name + "/" + std::to_string(page));
  }
  const size_t good = urls.size();
  for (const auto& [name, handler] : BadHandlers()) {
    for (int page = 0; page < 2; ++page) urls.push_back("http://" + name + ".bad.test/" + std::to_string(page));
  }
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  // Short, and yet what a good host keeps on a busy machine, where the web has a tenth of a core.
  constexpr int kPatience = kSanitized ? 4 : 2;
  scene.options.timeout_ms = kPatience * 2'500;
  scene.options.connect_timeout_ms = kPatience * 1'000;
  scene.options.first_byte_timeout_ms = kPatience * 1'500;
  scene.options.speed_window_ms = kPatience * 1'000;
  scene.options.lease_ms = kPatience * 6'000;
  scene.options.retries = 0;
  StartPeak();
  ASSERT_OK_AND_ASSIGN(const JobResult result, scene.FetchUrls(urls));
  if (kMemoryIsMeasured) {
    EXPECT_LT(PeakResidentBytes(), int64_t{512} << 20);
  }
  // Robots and two pages one after the other, each within its limits: 8 s, with much to spare for a busy machine.
  EXPECT_LT(result.seconds, kPatience * 40);
  size_t fetched_good = 0;
  for (const auto& [key, row] : scene.Rows()) {
    EXPECT_NE(row.outcome, Outcome::kNone) << key;
    if (key.starts_with("test,good")) fetched_good += row.outcome == Outcome::kFetched ? 1 : 0;
  }
  EXPECT_EQ(fetched_good, good);
  // Every listed URL has a row; hops and no others come on top.
  size_t listed = 0;
  for (const auto& [key, row] : scene.Rows()) listed += row.listed.empty() ? 0 : 1;
  EXPECT_EQ(listed, urls.size());
}

TEST(FetchHostile, GoodHostsCompleteBesideBadOnes) { FetchBesideBadHosts(/*robots=*/true); }
TEST(FetchHostile, SoTheyDoWhereEvenRobotsIsBad) { FetchBesideBadHosts(/*robots=*/false); }

// However many URLs of the host are still to be asked, and so whether its connection is to be kept.
TEST(FetchHostile, AnOutcomeDoesNotDependOnWhatIsAskedNext) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
  const std::map<std::string, std::vector<TestStep>> answers = {
      {"word", {Send(head + "Content-Length: many\r\n\r\n<p>x"), Close()}},
      {"sign", {Send(head + "Content-Length: -4\r\n\r\n<p>x"), Close()}},
      {"gone", {Send("HTTP/1.1 410 Gone\r\nContent-Length: 9\r\n\r\n"), Pause(20), Reset()}},
      {"moved", {Send("HTTP/1.1 302 Found\r\nLocation: /next\r\n\r\n<p>"), Hang()}},
  };
  TestWeb web;
  std::vector<std::string> urls;
  for (const auto& [name, steps] : answers) {
    web.AddHost(name + ".test", [steps](const TestRequest& request) {
      return request.path.starts_with("/page") ? TestAnswer{steps, false} : AnswerWith(NotFound(), request);
    });
    for (const char* path : {"/page1", "/page2", "/page3"}) urls.push_back("http://" + name + ".test" + path);
  }
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  scene.options.timeout_ms = 2'000;
  scene.options.speed_window_ms = 1'000;
  scene.options.retries = 0;
  ASSERT_OK(scene.FetchUrls(urls));
  for (const std::string& url : urls) {
    const FetchRow row = scene.RowOf(url);
    const Outcome outcome = url.find("gone") != std::string::npos    ? Outcome::kGone
                            : url.find("moved") != std::string::npos ? Outcome::kRedirect
                                                                     : Outcome::kFetched;
    EXPECT_EQ(TextOf(row.outcome), TextOf(outcome)) << url << ": " << row.reason;
    EXPECT_EQ(row.bytes, outcome == Outcome::kFetched ? 4 : 0) << url;
    EXPECT_EQ(row.requests, 1) << url;
  }
}

TEST(FetchHostile, HandshakesWithoutEndCostWhatTheirLimitSays) {
  TestWeb web;
  AddEndlessHandshakes(&web);
  web.AddHost("good.test", ServePages({{"/robots.txt", NotFound()}, {"*", {.body = "good"}}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  scene.options.connect_timeout_ms = 500;
  scene.options.retries = 0;
  for (const OnUnreachableRobots unreachable : {OnUnreachableRobots::kDefer, OnUnreachableRobots::kAllow}) {
    scene.robots.on_unreachable = unreachable;
    std::vector<std::string> urls = {"http://good.test/"};
    for (const auto& [name, handler] : EndlessHandshakes()) {
      for (int page = 0; page < 2; ++page) urls.push_back("https://" + name + ".bad.test/" + std::to_string(page));
    }
    ASSERT_OK_AND_ASSIGN(const JobResult result, scene.FetchUrls(urls));
    // Beside each other; of each host robots.txt and, where it is not waited for, both pages one after the other.
    EXPECT_LT(result.seconds, 20);
    const bool waits = unreachable == OnUnreachableRobots::kDefer;
    for (const std::string& url : urls) {
      const FetchRow row = scene.RowOf(url);
      const bool good = url == urls[0];
      EXPECT_EQ(row.outcome, good    ? Outcome::kFetched
                             : waits ? Outcome::kRobotsDeferred
                                     : Outcome::kConnectFailed)
          << url << ": " << row.reason;
      EXPECT_EQ(row.reason.find("no connection in time") != std::string::npos, !good) << row.reason;
    }
  }
}

}  // namespace
}  // namespace trawl
