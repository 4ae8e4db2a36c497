// generate, fetch, parse and updatedb as a scheduler runs them: one by one, at a time that it says, for a segment that
// it names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/crawl/crawled_web.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

constexpr char kLater[] = "2026-01-01T01:00:00Z";

class Steps : public ::testing::Test {
 protected:
  Steps() : web_(LinkGraph{.hosts = 3, .pages = 5}) {}

  // A crawl with a seed and what the test web needs as its settings, made at kNow.
  void Inject(const std::string& name) {
    web_.Object(web_.Arguments("inject", name, {"--now", CrawledWeb::kNow, web_.seed()}));
    web_.Object(web_.Arguments(
        "config set", name,
        {"--now", CrawledWeb::kNow, "urls.scope=any", "urls.depth=50", "fetch.allow_private=true", "fetch.delay_ms=0",
         "fetch.hosts_file=" + web_.hosts_file(), "fetch.ca_file=" + web_.web().ca_file()}));
  }

  BinaryResult Step(const std::string& verb, const std::string& name, const std::string& now,
                    const std::string& segment = "") {
    std::vector<std::string> more = {"--now", now};
    if (!segment.empty()) more.insert(more.end(), {"--segment", segment});
    return web_.Run(web_.Arguments(verb, name, more));
  }

  CrawledWeb web_;
};

TEST_F(Steps, AllAtOneTimeGiveTheRowsOfACrawl) {
  web_.Crawl("whole", {web_.seed()});
  web_.web().ClearLog();
  Inject("steps");
  int rounds = 0;
  for (;; ++rounds) {
    ASSERT_LT(rounds, 40);
    const BinaryResult generate = Step("generate", "steps", CrawledWeb::kNow);
    if (generate.exit_code == 1) break;
    ASSERT_EQ(generate.exit_code, 0) << generate.err;
    for (const char* verb : {"fetch", "parse", "updatedb"}) {
      const BinaryResult step = Step(verb, "steps", CrawledWeb::kNow);
      ASSERT_EQ(step.exit_code, 0) << verb << ": " << step.err;
    }
  }
  EXPECT_GT(rounds, 1);
  EXPECT_EQ(web_.Rows("steps"), web_.Rows("whole"));
  for (const auto& [url, count] : web_.Requests()) {
    EXPECT_TRUE(count == 1 || url.ends_with("/robots.txt")) << url << " was asked " << count << " times";
  }
}

TEST_F(Steps, AreDoneOnceForANamedSegment) {
  Inject("a");
  for (const char* verb : {"fetch", "parse", "updatedb"}) {
    const BinaryResult early = Step(verb, "a", CrawledWeb::kNow, "round-1");
    EXPECT_EQ(early.exit_code, 2) << verb;
    EXPECT_THAT(early.err, HasSubstr("round-1")) << verb;
  }
  for (const char* segment : {"round-1", "round-2"}) {
    for (const char* verb : {"generate", "fetch", "parse", "updatedb"}) {
      for (const bool is_first : {true, false}) {
        const BinaryResult step = Step(verb, "a", CrawledWeb::kNow, segment);
        ASSERT_EQ(step.exit_code, 0) << verb << segment << ": " << step.err;
        const auto json = ParseJson(step.out);
        ASSERT_TRUE(json.ok()) << step.out;
        EXPECT_EQ((*json)["changed"], is_first) << verb << segment;
        EXPECT_EQ((*json)["segment"], segment) << verb;
      }
    }
  }
  // All of it again, as a scheduler that has lost its memory: nothing is asked.
  web_.web().ClearLog();
  for (const char* verb : {"generate", "fetch", "parse", "updatedb"}) {
    EXPECT_EQ(Step(verb, "a", CrawledWeb::kNow, "round-1").exit_code, 0) << verb;
  }
  EXPECT_TRUE(web_.web().Log().empty());
}

// A crawl's own time goes on while it runs, from its --now: what it found is due a moment later than that.
TEST_F(Steps, BehindACrawlAtItsTimeSayWhenSomethingIsDue) {
  web_.Crawl("a", {web_.seed(), "--rounds", "1"});
  const BinaryResult early = Step("generate", "a", CrawledWeb::kNow);
  EXPECT_EQ(early.exit_code, 1);
  const auto idle = ParseJson(early.out);
  ASSERT_TRUE(idle.ok()) << early.out;
  EXPECT_THAT((*idle)["next_due"].get<std::string>(), HasSubstr("2026-01-01T00:0"));
  const BinaryResult text = web_.Run({"generate", "--root", web_.root("a"), "--now", std::string(CrawledWeb::kNow)});
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_THAT(text.err, HasSubstr("nothing is due; the next URL is due at 2026-01-01T00:0"));
  EXPECT_EQ(Step("generate", "a", kLater).exit_code, 0);
  EXPECT_EQ(Step("fetch", "a", kLater).exit_code, 0);
}

}  // namespace
}  // namespace trawl
