// trawl watch beside a real crawl: while it runs, after it was killed, and when nothing runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "tests/support/crawl/crawled_web.h"
#include "tests/support/process/trawl_command.h"

namespace trawl {
namespace {

using testing::HasSubstr;

// Its pages take a while, so that there is something to see.
class Watch : public ::testing::Test {
 protected:
  Watch() : web_(LinkGraph{.hosts = 6, .pages = 40, .delay_ms = 500}) {}

  Json Look() { return AnswerOf(web_.Run({"watch", "--root", web_.root("a"), "--json", "--watch.count", "1"})); }
  // Looks until `holds`.
  template <typename Holds>
  Json LookUntil(const Holds& holds) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(50);
    while (std::chrono::steady_clock::now() < until) {
      const BinaryResult result = web_.Run({"watch", "--root", web_.root("a"), "--json", "--watch.count", "1"});
      const auto json = result.exit_code == 0 ? ParseJson(result.out) : arrow::Status::IOError(result.err);
      if (json.ok() && holds(*json)) return *json;
    }
    ADD_FAILURE() << "never seen";
    return Json::object();
  }

  CrawledWeb web_;
};

TEST_F(Watch, ShowsARunningCrawlAndItsEndByKill) {
  BinaryProcess crawl({.arguments = web_.CrawlArguments("a", {web_.seed(), "--fetch.part_time", "1s"})});
  const Json running = LookUntil([](const Json& live) {
    return live["state"] == "fetch" && live["workers"]["active"].get<int64_t>() > 0 &&
           live["left"].get<int64_t>() > 0 && !live["list"].empty() && live["list"][0]["state"] == "active";
  });
  ASSERT_TRUE(running.contains("list"));
  EXPECT_EQ(running["list"][0]["pid"], crawl.pid());
  EXPECT_EQ(running["list"][0]["segment"], running["segments"][0]["segment"]);
  crawl.Signal(SIGKILL);
  EXPECT_EQ(crawl.Wait().signal, SIGKILL);
  const Json killed = Look();
  EXPECT_EQ(killed["state"], "idle") << "its process is known to be dead";
  EXPECT_EQ(killed["workers"]["active"], 0);
  EXPECT_GT(killed["workers"]["silent"], 0) << "somebody has to fetch again";
  const BinaryResult text = web_.Run({"watch", "--root", web_.root("a")});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("idle"));
  EXPECT_THAT(text.out, HasSubstr("silent"));
}

TEST_F(Watch, EndsWhenNothingRuns) {
  EXPECT_EQ(web_.Run({"inject", "--root", web_.root("a"), web_.seed()}).exit_code, 0);
  const BinaryResult result = web_.Run({"watch", "--root", web_.root("a"), "--json", "--until_idle"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(ParseJson(result.out).ValueOrDie()["state"], "idle");
}

TEST_F(Watch, ASignalEndsItWithoutAFailure) {
  EXPECT_EQ(web_.Run({"inject", "--root", web_.root("a"), web_.seed()}).exit_code, 0);
  BinaryProcess watch({.arguments = {"watch", "--root", web_.root("a"), "--json", "--interval", "200ms"}});
  ASSERT_TRUE(watch.WaitFor("\"state\":\"idle\""));
  watch.Signal(SIGINT);
  EXPECT_EQ(watch.Wait().exit_code, 0);
}

}  // namespace
}  // namespace trawl
