// trawl round as a scheduler runs it: once per segment, also after kills, with the rows of trawl crawl and few files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <sstream>
#include <thread>

#include "formats/rows/times.h"
#include "runtime/process/clock.h"
#include "runtime/terminal/timestamp.h"
#include "tests/support/crawl/crawled_web.h"
#include "tests/support/process/sanitized.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

class Round : public ::testing::Test {
 protected:
  Round() : web_(LinkGraph{.hosts = 3, .pages = 40}) {}

  // A crawl with a seed and what the test web needs as its settings.
  void Inject(const std::string& name, const std::string& now = CrawledWeb::kNow, int64_t top_n = 20) {
    web_.Object(web_.Arguments("inject", name, {"--now", now, web_.seed()}));
    web_.Object(web_.Arguments("config set", name,
                               {"--now", now, "urls.scope=any", "urls.depth=50", "fetch.allow_private=true",
                                "fetch.delay_ms=0", "fetch.hosts_file=" + web_.hosts_file(),
                                "fetch.ca_file=" + web_.web().ca_file(), "generate.top_n=" + std::to_string(top_n)}));
  }
  static std::string Minute(int minute) {
    return "2026-01-01T00:" + std::to_string(minute / 10) + std::to_string(minute % 10) + ":00Z";
  }
  std::vector<std::string> Arguments(const std::string& name, const std::string& now, const std::string& segment) {
    return web_.Arguments("round", name, {"--now", now, "--segment", segment});
  }
  int64_t FilesOf(const std::string& name) const {
    int64_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(web_.root(name))) {
      files += entry.is_regular_file() ? 1 : 0;
    }
    return files;
  }

  CrawledWeb web_;
};

TEST_F(Round, AnswersWhatASchedulerWantsToKnow) {
  Inject("a");
  const Json first = web_.Object(Arguments("a", Minute(0), "r1"));
  EXPECT_EQ(first["segment"], "r1");
  EXPECT_EQ(first["pages"], 1);
  EXPECT_EQ(first["fetched"], 1);
  EXPECT_EQ(first["snapshot"], 4) << "inject, config, generate, updatedb";
  EXPECT_EQ(first["changed"], true);
  EXPECT_GT(first["found"], 0);
  EXPECT_GT(first["due"], 0);
  EXPECT_FALSE(first["next_due"].is_null());
  EXPECT_EQ(first["held"], Json::array());

  // Again, as the scheduler's retry: the same answer, and not a request.
  web_.web().ClearLog();
  const Json again = web_.Object(Arguments("a", Minute(30), "r1"));
  EXPECT_TRUE(web_.web().Log().empty());
  for (const char* name : {"segment", "pages", "fetched", "snapshot", "due", "statuses", "found"}) {
    EXPECT_EQ(again[name], first[name]) << name;
  }
  EXPECT_EQ(again["changed"], false);
  EXPECT_EQ(web_.Object(web_.Arguments("snapshot list", "a", {"--limit", "1"}))["snapshot"], 5) << "and settle";
  EXPECT_EQ(again["duplicates"], (Json{{"exact", 0}, {"near", 0}, {"bytes_saved", 0}}));
}

TEST_F(Round, EndsWithOneWhereNothingIsDue) {
  Inject("a", CrawledWeb::kNow, 0);
  int minute = 0;
  while (minute < 50) {
    const BinaryResult round = web_.Run(Arguments("a", Minute(minute), "r" + std::to_string(minute)));
    ++minute;
    if (round.exit_code == 0) continue;
    EXPECT_EQ(round.exit_code, 1) << round.err;
    const Json idle = ParseJson(round.out).ValueOrDie();
    EXPECT_EQ(idle["segment"], nullptr);
    EXPECT_EQ(idle["pages"], 0);
    EXPECT_EQ(idle["due"], 0);
    EXPECT_FALSE(idle["next_due"].is_null());
    break;
  }
  EXPECT_EQ(web_.Run(web_.Arguments("round", "a", {"--now", Minute(minute), "--idle_exit", "99"})).exit_code, 99);
  EXPECT_EQ(web_.Run(web_.Arguments("round", "a", {"--segment", "a/b"})).exit_code, 2);
  web_.Crawl("whole", {web_.seed()});
  EXPECT_EQ(web_.Rows("a"), web_.Rows("whole"));
}

TEST_F(Round, FinishesWhatIsUnfinished) {
  Inject("a");
  web_.Object(web_.Arguments("generate", "a", {"--now", Minute(0), "--segment", "s1"}));
  const Json round = web_.Object(web_.Arguments("round", "a", {"--now", Minute(1)}));
  EXPECT_EQ(round["segment"], "s1");
  ASSERT_EQ(round["taken_up"].size(), 1u);
  EXPECT_EQ(round["taken_up"][0], (Json{{"segment", "s1"}, {"urls", 1}, {"opened", "2026-01-01T00:00:00Z"}}));
  web_.Object(web_.Arguments("generate", "a", {"--now", Minute(2), "--segment", "s2"}));
  web_.Object(web_.Arguments("segments abandon", "a", {"s2", "--now", Minute(3)}));
  EXPECT_EQ(web_.Run(Arguments("a", Minute(4), "s2")).exit_code, 2) << "abandoned";
}

// Its time is over, so nothing of it can be fetched: a command that runs each day must not take it for its round.
TEST_F(Round, AnExpiredSegmentIsRecordedAndIsNotTheRound) {
  Inject("a");
  web_.Object(web_.Arguments("generate", "a", {"--now", Minute(0), "--segment", "s1"}));
  const Json round = web_.Object(web_.Arguments("round", "a", {"--now", "2026-01-03T00:00:00Z"}));
  EXPECT_NE(round["segment"], "s1");
  EXPECT_EQ(round["pages"], 1);
  ASSERT_EQ(round["taken_up"].size(), 1u);
  EXPECT_EQ(round["taken_up"][0]["segment"], "s1");
  web_.Object(web_.Arguments("generate", "a", {"--now", "2026-01-03T01:00:00Z", "--segment", "s2"}));
  // The scheduler's own id is no other segment's: the command says that there was nothing, each time.
  for (int time = 0; time < 2; ++time) {
    const BinaryResult named = web_.Run(Arguments("a", "2026-01-09T00:00:00Z", "s2"));
    EXPECT_EQ(named.exit_code, 1) << named.err;
    EXPECT_EQ(ParseJson(named.out).ValueOrDie()["fetched"], 0);
  }
}

TEST_F(Round, AnswersOnStandardOutputAndOnce) {
  Inject("a");
  std::vector<std::string> arguments = Arguments("a", Minute(0), "r1");
  std::erase(arguments, "--json");
  const BinaryResult round = web_.Run(arguments);
  EXPECT_EQ(round.exit_code, 0);
  EXPECT_TRUE(round.out.starts_with("segment r1: 1 request, 1 page stored, ")) << round.out;
  EXPECT_EQ(round.err, "");
}

// The lease is 60 s: waiting for it would take longer than the test may.
TEST_F(Round, TwoThatOverlapEndTogether) {
  CrawledWeb web;
  web.web().AddHost("slow.test", ServePages({{"/robots.txt", NotFound()}, {"*", {.body = "x", .delay_ms = 3000}}}));
  web.Start();
  web.Object(web.Arguments("inject", "a", {"--now", CrawledWeb::kNow, "http://slow.test/"}));
  const std::vector<std::string> arguments = web.Arguments(
      "round", "a",
      {"--now", CrawledWeb::kNow, "--segment", "r1", "--fetch.allow_private", "--fetch.hosts_file", web.hosts_file()});
  BinaryProcess first({.arguments = arguments, .limit_ms = 40'000});
  const std::string chain = web.root("a") + "/segments/r1/_attempts/0/0.json";
  for (int i = 0; i < 400 && !std::filesystem::exists(chain); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  BinaryProcess second({.arguments = arguments, .limit_ms = 40'000});
  for (BinaryProcess* process : {&first, &second}) {
    const BinaryResult result = process->Wait();
    EXPECT_FALSE(result.timed_out);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(ParseJson(result.out).ValueOrDie()["pages"], 1) << result.out;
  }
  EXPECT_EQ(web.Requests()["slow.test/"], 1);
}

// The upkeep takes what the round before the last one left; the document of that round still tells of its jobs.
TEST_F(Round, JobsAreListedAfterTheirReportsAreGone) {
  Inject("a");
  std::string fetch;
  for (int round = 0; round < 3; ++round) {
    web_.Object(Arguments("a", Minute(round), "r" + std::to_string(round)));
    if (round > 0) continue;
    for (const auto& job : std::filesystem::directory_iterator(web_.root("a") + "/jobs")) {
      const std::string id = job.path().filename().string();
      if (id.find("-fetch-") != std::string::npos) fetch = id;
    }
  }
  for (const char* dataset : {"fetchlist", "fetchlist_hosts", "fetchlist_robots", "held", "hosts"}) {
    for (const char* name : {"r0", "r1", "r2"}) {
      int64_t files = 0;
      const std::string folder = web_.root("a") + "/segments/" + name + "/" + dataset;
      if (!std::filesystem::exists(folder)) continue;
      for (const auto& file : std::filesystem::directory_iterator(folder)) {
        files += file.path().extension() == ".orc" ? 1 : 0;
      }
      EXPECT_LE(files, name == std::string("r2") ? 1 : 0) << name << " " << dataset;
    }
  }
  EXPECT_FALSE(std::filesystem::is_empty(web_.root("a") + "/segments/r0/robots")) << "archives are made of it";
  EXPECT_FALSE(std::filesystem::exists(web_.root("a") + "/jobs/" + fetch));
  std::map<std::string, int> verbs;
  std::istringstream lines(web_.Run(web_.Arguments("jobs", "a", {"--limit", "0"})).out);
  for (std::string line; std::getline(lines, line);) {
    const Json job = ParseJson(line).ValueOrDie();
    EXPECT_EQ(job["state"], "done");
    EXPECT_TRUE(job["seconds"].is_number()) << line;
    ++verbs[job["verb"]];
  }
  for (const char* verb : {"generate", "fetch", "parse", "updatedb"}) EXPECT_EQ(verbs[verb], 3) << verb;
  const Json job = web_.Object(web_.Arguments("jobs status", "a", {fetch}));
  EXPECT_EQ(job["counters"]["fetched"], 1);
  EXPECT_EQ(job["state"], "done");
}

// With a page that is never there: a scheduler's retry fails like the round.
TEST_F(Round, FailsWhereNothingWasFetchedOnceItIsApplied) {
  CrawledWeb web;
  web.web().AddHost("gone.test", ServePages({{"/robots.txt", NotFound()}, {"*", {.status = 410}}}));
  web.Start();
  web.Object(web.Arguments("inject", "a", {"--now", CrawledWeb::kNow, "http://gone.test/"}));
  const std::vector<std::string> round = web.Arguments(
      "round", "a",
      {"--now", CrawledWeb::kNow, "--segment", "r1", "--fetch.allow_private", "--fetch.hosts_file", web.hosts_file()});
  for (int time = 0; time < 2; ++time) {
    const BinaryResult result = web.Run(round);
    EXPECT_EQ(result.exit_code, 3) << result.err;
    EXPECT_THAT(result.err, HasSubstr("  http://gone.test/: gone 410\n"));
    EXPECT_EQ(web.Object(web.Arguments("readdb stats", "a", {}))["by_state"]["gone"], 1);
  }
  EXPECT_EQ(web.Requests()["gone.test/"], 1);
}

// Kills rounds at moments spread over all their steps; the same command then ends them.
TEST_F(Round, KilledAnywhereTheSameCommandEndsItTheSame) {
  const int rounds = 6;
  Inject("whole");
  for (int round = 0; round < rounds; ++round) {
    web_.Object(Arguments("whole", Minute(round), "r" + std::to_string(round)));
  }
  const std::vector<std::string> expected = web_.Rows("whole");
  ASSERT_GT(expected.size(), 100u);
  const int crawls = std::getenv("TRAWL_TEST_SOAK") != nullptr ? 40 : kSanitized ? 1 : 3;
  std::mt19937 random(20260101);
  int killed = 0;
  for (int crawl = 0; crawl < crawls; ++crawl) {
    const std::string name = "killed" + std::to_string(crawl);
    Inject(name);
    for (int round = 0; round < rounds; ++round) {
      const auto arguments = Arguments(name, Minute(round), "r" + std::to_string(round));
      {
        BinaryProcess process({.arguments = arguments});
        const auto wait_ms = std::uniform_int_distribution<int64_t>(10, 400)(random);
        std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
        process.Signal(SIGKILL);
        killed += process.Wait().signal == SIGKILL ? 1 : 0;
      }
      const Json answer = web_.Object(arguments);
      EXPECT_EQ(answer["segment"], "r" + std::to_string(round));
    }
    EXPECT_EQ(web_.Rows(name), expected) << name;
  }
  EXPECT_GT(killed, 0);
  std::printf("Rounds killed, run again, same rows: %d\n", killed);
}

// Thirty daily rounds of at most 20 pages, by `round` and by the single verbs with their upkeep.
class SmallRounds : public Round, public ::testing::WithParamInterface<const char*> {
 protected:
  // Files are as old as the time says: real ones are of today.
  std::string Day(int day) const { return FormatTimestamp(start_ms_ + day * kDayMs); }
  void RunRound(int day) {
    if (GetParam() == std::string("round")) {
      web_.Object(web_.Arguments("round", "a", {"--now", Day(day)}));
      return;
    }
    for (const char* verb : {"generate", "fetch", "parse", "updatedb", "settle"}) {
      web_.Object(web_.Arguments(verb, "a", {"--now", Day(day)}));
    }
    for (const char* verb : {"compact", "gc"}) {
      web_.Object(web_.Arguments(verb, "a", {"--now", Day(day), "--by_policy"}));
    }
  }
  int64_t RunsNow() {
    const Json last = web_.Object(web_.Arguments("snapshot list", "a", {"--limit", "1"}));
    const Json manifest =
        web_.Object(web_.Arguments("snapshot show", "a", {std::to_string(last["snapshot"].get<int64_t>())}));
    int64_t runs = 0;
    for (const Json& table : manifest["tables"]) runs += static_cast<int64_t>(table.size());
    return runs;
  }

  const TimeMs start_ms_ = SystemClock().NowMs() + 8 * kDayMs;
};

TEST_P(SmallRounds, LeaveFewFiles) {
  Inject("a", Day(0));
  int64_t before = FilesOf("a"), added = 0, most_runs = 0;
  const int rounds = 30;
  for (int round = 1; round <= rounds; ++round) {
    RunRound(round);
    const int64_t files = FilesOf("a");
    // What a round leaves for its successor the second one removes first. A file of page_facts is among them.
    if (round == 1) {
      EXPECT_LE(files - before, 31);
    }
    if (round > 1 && files > before) added = std::max(added, files - before);
    before = files;
    most_runs = std::max(most_runs, RunsNow());
  }
  const int64_t first = FilesOf("a");
  web_.Object(web_.Arguments("gc", "a", {"--now", Day(rounds + 8)}));
  const int64_t left = FilesOf("a");
  std::printf("%s: at most %lld files a round, %lld runs; %lld files after %d rounds, %lld after gc: %.1f a round\n",
              GetParam(), static_cast<long long>(added), static_cast<long long>(most_runs),
              static_cast<long long>(first), rounds, static_cast<long long>(left), double(left) / rounds);
  EXPECT_LE(added, 30) << "a round that also merges runs";
  EXPECT_LE(left, 12 * rounds + 30);
  EXPECT_LE(most_runs, 24);
}

INSTANTIATE_TEST_SUITE_P(By, SmallRounds, ::testing::Values("round", "verbs"));

}  // namespace
}  // namespace trawl
