// The numbers of rounds: in the reports of fetch and updatedb, in the document, and as trawl rounds shows them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "tests/support/crawl/crawled_web.h"
#include "tests/support/process/trawl_command.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

// /b is linked twice; what else / links to is refused: by the scope, as a path in circles, and for the number of its
// parameters.
class Rounds : public ::testing::Test {
 protected:
  Rounds() {
    web_.web().AddHost("a.test", ServePages({{"/robots.txt", NotFound()},
                                             {"/",
                                              {.body = "<script src=/app.js></script><div id=root></div><a "
                                                       "href=/b>b</a><a href=/gone>c</a><a href=/twin>d</a>"
                                                       "<a href=http://elsewhere.test/>e</a><a href=/x/x/x/x>f</a>"
                                                       "<a href=/p?a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9&j=10&k=11>g</a>"
                                                       "<a rel=nofollow href=/n>h</a>"}},
                                             {"/b", {.body = "<a href=/b>b</a><a href=/>a</a>"}},
                                             {"/twin", {.body = "<a href=/b>b</a><a href=/>a</a>"}},
                                             {"/gone", {.status = 410}}}));
    web_.Start();
    Object("inject", {"http://a.test/"});
    Object("config set", {"fetch.allow_private=true", "fetch.delay_ms=0", "fetch.hosts_file=" + web_.hosts_file()});
  }

  Json Object(const std::string& verb, std::vector<std::string> more) {
    more.insert(more.end(), {"--now", now_});
    return web_.Object(web_.Arguments(verb, "a", more));
  }
  // The answers of the four steps.
  std::map<std::string, Json> Round(const std::string& segment, const std::string& now) {
    now_ = now;
    std::map<std::string, Json> answers;
    for (const char* verb : {"generate", "fetch", "parse", "updatedb"})
      answers[verb] = Object(verb, {"--segment", segment});
    return answers;
  }
  BinaryResult Run(const std::string& verb, const std::vector<std::string>& more) {
    return web_.Run(web_.Arguments(verb, "a", more));
  }

  CrawledWeb web_;
  std::string now_ = CrawledWeb::kNow;
};

TEST_F(Rounds, ReportsAndDocumentHaveTheNumbersOfTheirRound) {
  auto first = Round("r1", "2026-01-01T01:00:00Z");
  EXPECT_EQ(first["fetch"]["success_rate"], 1.0);
  EXPECT_EQ(first["updatedb"]["links_refused"], (Json{{"loop", 1}, {"nofollow", 1}, {"parameters", 1}, {"scope", 1}}));
  EXPECT_EQ(first["updatedb"]["frontier"], 3);
  auto second = Round("r2", "2026-01-01T02:00:00Z");
  const Json& fetch = second["fetch"];
  EXPECT_EQ(fetch["fetched"], 3);
  EXPECT_DOUBLE_EQ(fetch["success_rate"].get<double>(), 2.0 / 3);
  EXPECT_EQ(fetch["duplicate_rate"], 0.5);
  EXPECT_EQ(fetch["top_errors"][0]["count"], 1);
  EXPECT_EQ(fetch["slowest_hosts"][0]["host"], "a.test");
  EXPECT_EQ(fetch["slowest_hosts"][0]["answers"], 3);
  EXPECT_GE(fetch["response_ms"]["p99"], fetch["response_ms"]["p50"]);
  EXPECT_EQ(fetch["used"]["processes"], 1);
  EXPECT_GT(fetch["used"]["wire_bytes_per_second"].get<double>(), 0);
  EXPECT_EQ(second["updatedb"]["frontier"], 0);
  EXPECT_GE(second["updatedb"]["answer_to_applied_ms"]["p99"], second["updatedb"]["answer_to_applied_ms"]["median"]);

  const Json round = Object("rounds", {"r2"});
  EXPECT_EQ(round["segment"], "r2");
  EXPECT_EQ(round["snapshot"], second["updatedb"]["snapshot"]);
  EXPECT_EQ(round["totals"]["states"], (Json{{"fetched", 3}, {"gone", 1}}));
  EXPECT_EQ(round["totals"]["rounds"], 2);
  EXPECT_EQ(round["totals"]["requests"], 4);
  EXPECT_EQ(round["totals"]["pages"], 3);
  EXPECT_EQ(round["due"], 3);
  EXPECT_EQ(round["fetch"]["pages"], 2);
  EXPECT_EQ(round["links"]["new"], 0);
  EXPECT_EQ(round["links"]["known"], 3);
  EXPECT_EQ(round["lists"].size(), 1u);
  EXPECT_EQ(round["lists"][0]["urls"], 3);
  int64_t pages = 0;
  for (const Json& row : round["minutes"]["rows"]) pages += row[1].get<int64_t>();
  EXPECT_EQ(pages, 2);
  for (const char* step : {"generate", "fetch", "parse", "updatedb"}) {
    EXPECT_EQ(round["steps"][step]["began"], "2026-01-01T02:00:00Z") << step;
    EXPECT_TRUE(round["steps"][step]["seconds"].is_number()) << step;
  }
  EXPECT_EQ(fetch["top_errors"][0]["example"], "http://a.test/gone");
  EXPECT_EQ(fetch["failing_hosts"].size(), 0u) << "a page that is gone is no failure of its host";
  EXPECT_EQ(fetch["types"], (Json{{"text/html", 2}}));
  EXPECT_EQ(fetch["truncated"].size(), 0u);
  EXPECT_EQ(fetch["robots"]["denied"], 0);
  int64_t answers = 0, bodies = 0;
  for (const Json& range : fetch["response_ms"]["ranges"]) answers += range["count"].get<int64_t>();
  for (const Json& range : fetch["sizes"]) bodies += range["count"].get<int64_t>();
  EXPECT_EQ(answers, 3);
  EXPECT_EQ(bodies, 2);
  EXPECT_EQ(round["languages"], (Json{{"und", 2}}));
  EXPECT_EQ(round["politeness"]["requests"], 3);
  EXPECT_EQ(round["politeness"]["violations"], 0);
  EXPECT_EQ(round["steps"]["fetch"]["runner"], "local");
  EXPECT_FALSE(round["ran_by"]["machine"].get<std::string>().empty());
  EXPECT_GT(round["storage"]["free"], 0);
  EXPECT_EQ(round["needs_js"], (Json{{"round", 0}, {"ever", 1}})) << "the first page of the first round";
  EXPECT_EQ(Object("readdb stats", {})["needs_js"], 1);
  EXPECT_GT(round["storage"]["segment"], 0);
  EXPECT_GT(round["filters"]["bytes"], 0);
}

TEST_F(Rounds, AreListedNewestLastAndStayWhenTheRestIsCollected) {
  Round("r1", "2026-01-01T01:00:00Z");
  Round("r2", "2026-01-01T02:00:00Z");
  Round("r3", "2026-02-01T00:00:00Z");
  Object("compact", {});
  // A document that no snapshot names, as a job that was overtaken leaves it.
  const std::string jobs = web_.root("a") + "/jobs/";
  const std::string job = Object("rounds", {"r1"})["job"];
  std::filesystem::create_directory(jobs + "20260101T000000Z-updatedb-0");
  std::filesystem::copy(jobs + job + "/round.json", jobs + "20260101T000000Z-updatedb-0/round.json");
  // All of it is old enough.
  for (const auto& file : std::filesystem::recursive_directory_iterator(jobs)) {
    if (file.is_regular_file()) std::filesystem::last_write_time(file, std::filesystem::file_time_type::min());
  }
  now_ = "2036-01-01T00:00:00Z";
  Object("gc", {"--keep_snapshots", "1"});
  EXPECT_FALSE(std::filesystem::exists(jobs + "20260101T000000Z-updatedb-0/round.json"));

  std::vector<std::string> segments;
  std::istringstream lines(Run("rounds", {}).out);
  for (std::string line; std::getline(lines, line);) segments.push_back((*ParseJson(line))["segment"]);
  EXPECT_EQ(segments, (std::vector<std::string>{"r1", "r2", "r3"}));
  EXPECT_EQ(Object("rounds", {"--limit", "1"})["segment"], "r3");
  EXPECT_EQ(Object("rounds", {"--limit", "1", "--snapshot", Object("rounds", {"r2"})["snapshot"].dump()})["segment"],
            "r2");
  const BinaryResult unknown = Run("rounds", {"r9"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("no round of segment 'r9' was applied"));
}

TEST_F(Rounds, AreCompleteWhereTheFetchLeftNoReport) {
  now_ = "2026-01-01T01:00:00Z";
  Object("generate", {"--segment", "r1"});
  const std::string job = Object("fetch", {"--segment", "r1"})["job"];
  Object("parse", {"--segment", "r1"});
  // As if the driver was killed when the step was done.
  std::filesystem::remove(web_.root("a") + "/jobs/" + job + "/report.json");
  Object("updatedb", {"--segment", "r1"});
  const Json round = Object("rounds", {"r1"});
  EXPECT_EQ(round["fetch"]["pages"], 1);
  EXPECT_EQ(round["steps"]["fetch"]["seconds"], nullptr);
}

TEST_F(Rounds, PeopleReadTheNumbersOfAFetchAndOfARound) {
  Round("r1", "2026-01-01T01:00:00Z");
  now_ = "2026-01-01T02:00:00Z";
  Object("generate", {"--segment", "r2"});
  const std::vector<std::string> at = {"--root", web_.root("a"), "--now", now_};
  const auto err = [&](const std::string& verb) { return Trawl({verb, "--root", web_.root("a"), "--now", now_}).err; };
  const std::string fetch = err("fetch");
  EXPECT_THAT(fetch, HasSubstr("succeeded: 66.7 %, answers in "));
  EXPECT_THAT(fetch, HasSubstr("slowest: a.test "));
  EXPECT_THAT(fetch, HasSubstr(" of the processors, disk "));
  err("parse");
  const std::string applied = err("updatedb");
  EXPECT_THAT(applied, HasSubstr("0 URLs not fetched yet"));
  EXPECT_THAT(applied, HasSubstr("answers applied after "));
  EXPECT_THAT(Trawl({"rounds", "--root", web_.root("a")}).out, HasSubstr("\nr2 "));
  EXPECT_THAT(Trawl({"rounds", "r1", "--root", web_.root("a")}).out, HasSubstr("refused       1 loop, 1 nofollow"));
}

// The segment's fetch was stopped after its first page, or is done and was not applied.
TEST_F(Rounds, WhoAbandonsASegmentReadsWhatIsLost) {
  Round("r1", "2026-01-01T01:00:00Z");
  now_ = "2026-01-01T02:00:00Z";
  Object("generate", {"--segment", "r2"});
  web_.web().ClearLog();
  const std::vector<std::string> fetch = web_.Arguments("fetch", "a", {"--now", now_, "--fetch.delay_ms", "20m"});
  BinaryProcess process({.arguments = fetch});
  for (int tries = 0; web_.web().Log().empty() && tries < 2000; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  process.Signal(SIGTERM);
  EXPECT_EQ(process.Wait().exit_code, 75);

  const int64_t snapshot = Object("readdb stats", {})["snapshot"];
  const Json tried = Object("segments abandon", {"r2", "--dry_run"});
  EXPECT_EQ(tried["fetched"], 1);
  EXPECT_EQ(tried["dry_run"], true);
  EXPECT_EQ(tried["changed"], false);
  EXPECT_EQ(Object("readdb stats", {})["snapshot"], snapshot);
  EXPECT_THAT(Trawl({"segments", "abandon", "r2", "--dry_run", "--root", web_.root("a")}).out,
              HasSubstr(" of 1 request; "));
  EXPECT_THAT(Trawl({"segments", "abandon", "r2", "--root", web_.root("a")}).out,
              HasSubstr("segment r2 is abandoned, which drops "));

  now_ = "2026-01-01T03:00:00Z";
  Object("generate", {"--segment", "r3"});
  Object("fetch", {});
  const Json whole = Object("segments abandon", {"r3", "--dry_run"});
  EXPECT_EQ(whole["fetched"], 3);
  EXPECT_EQ(whole["pages"], 2);
  EXPECT_GT(whole["bytes"], 0);
  EXPECT_THAT(Trawl({"segments", "abandon", "r3", "--root", web_.root("a")}).out,
              HasSubstr("segment r3 is abandoned, which drops 2 stored pages ("));
  EXPECT_EQ(Object("segments abandon", {"r3"})["pages"], 0) << "it is abandoned already";
  EXPECT_EQ(Run("segments abandon", {"r1", "--dry_run"}).exit_code, 2) << "it is applied";
}

}  // namespace
}  // namespace trawl
