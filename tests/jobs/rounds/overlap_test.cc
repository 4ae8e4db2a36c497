// trawl crawl --overlap: the next round is fetched while one is parsed and applied. The same rows come of it, also where
// it is killed, stopped, or fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "tests/support/crawl/crawled_web.h"
#include "tests/support/process/sanitized.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

constexpr int kHosts = 12, kPages = 10;

// Each host is a domain, so rounds of some of the pages leave domains for another one.
std::vector<std::string> Seeds(const LinkGraph& graph) {
  std::vector<std::string> seeds;
  for (int host = 0; host < graph.hosts; ++host) seeds.push_back(LinkGraphUrl(graph, host, 0));
  return seeds;
}

std::vector<std::string> With(std::vector<std::string> arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::vector<std::string> Overlapping(const LinkGraph& graph) {
  return With(Seeds(graph), {"--overlap", "--top_n", "8", "--sitemaps.guess=false"});
}

int64_t Overlapped(const Json& summary) { return summary["counters"].value("crawl.overlapped", int64_t{0}); }

std::vector<Json> Lines(const BinaryResult& result) {
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::vector<Json> lines;
  std::istringstream text(result.out);
  for (std::string line; std::getline(text, line);) lines.push_back(*ParseJson(line));
  return lines;
}

// By state: the segments of the crawl, each with its id.
std::multimap<std::string, std::string> Segments(const CrawledWeb& web, const std::string& name) {
  std::multimap<std::string, std::string> segments;
  const auto arguments = web.Arguments("segments list", name, {"--limit", "0", "--now", CrawledWeb::kNow});
  for (const Json& line : Lines(web.Run(arguments))) segments.emplace(line["state"], line["segment"]);
  return segments;
}

bool IsUnfinished(const std::string& state) { return state == "open" || state == "fetched" || state == "parsed"; }

std::vector<std::string> Unfinished(const CrawledWeb& web, const std::string& name) {
  std::vector<std::string> ids;
  for (const auto& [state, id] : Segments(web, name)) {
    if (IsUnfinished(state)) ids.push_back(id);
  }
  return ids;
}

// The rows without their inlinks, which count by rounds (docs/states.md, "Score, depth, inlinks").
std::vector<std::string> Rows(const CrawledWeb& web, const std::string& name) {
  std::vector<std::string> rows;
  for (const std::string& text : web.Rows(name)) {
    Json row = *ParseJson(text);
    row.erase("inlinks");
    rows.push_back(DumpJson(row));
  }
  return rows;
}

std::set<std::string> HostsOf(const CrawledWeb& web, const std::string& name, const std::string& segment) {
  std::set<std::string> hosts;
  for (const Json& line : Lines(web.Run(web.Arguments("readseg dump", name, {segment})))) {
    const auto url = line["url"].get<std::string>();
    hosts.insert(url.substr(0, url.find('/', 8)));
  }
  return hosts;
}

TEST(Overlap, TheRowsAreThoseOfOneRoundAfterTheOther) {
  const LinkGraph graph = {.hosts = kHosts, .pages = kPages};
  CrawledWeb web(graph);
  const std::vector<std::string> alone = With(Seeds(graph), {"--top_n", "8", "--sitemaps.guess=false"});
  EXPECT_EQ(Overlapped(web.Crawl("alone", alone)), 0);
  web.web().ClearLog();
  const Json summary = web.Crawl("beside", Overlapping(graph));
  EXPECT_EQ(summary["pages"], kHosts * kPages);
  EXPECT_EQ(summary["ended"], "nothing more is due");
  EXPECT_GT(Overlapped(summary), 3) << summary;
  for (const auto& [url, times] : web.Requests()) EXPECT_EQ(times, 1) << url;
  EXPECT_EQ(Rows(web, "beside"), Rows(web, "alone"));
  for (const auto& [state, id] : Segments(web, "beside")) EXPECT_EQ(state, "applied") << id;
  EXPECT_EQ(static_cast<int64_t>(Segments(web, "beside").size()), summary["rounds"].get<int64_t>());
}

TEST(Overlap, WhereOneDomainIsAllNothingIsBesideIt) {
  const LinkGraph graph = {.hosts = 1, .pages = 30};
  CrawledWeb web(graph);
  const Json alone = web.Crawl("alone", With(Seeds(graph), {"--top_n", "8"}));
  const Json beside = web.Crawl("beside", Overlapping(graph));
  EXPECT_EQ(Overlapped(beside), 0);
  EXPECT_EQ(beside["pages"], 30);
  EXPECT_EQ(beside["rounds"], alone["rounds"]);
  EXPECT_EQ(Rows(web, "beside"), Rows(web, "alone"));
}

TEST(Overlap, AsManyRoundsAsAreAskedForAndNoneIsLeftOpen) {
  const LinkGraph graph = {.hosts = kHosts, .pages = kPages};
  CrawledWeb web(graph);
  for (const int rounds : {1, 2, 5}) {
    const std::string name = std::to_string(rounds);
    const Json summary = web.Crawl(name, With(Overlapping(graph), {"--rounds", name}));
    EXPECT_EQ(summary["rounds"], rounds);
    EXPECT_EQ(summary["ended"], "all rounds are done");
    EXPECT_TRUE(Unfinished(web, name).empty()) << name;
  }
}

// A round that got nothing ends a crawl. Not so one beside another: the domains of that one may have more.
TEST(Overlap, ADeadDomainBesideALivingOneEndsNothing) {
  const LinkGraph graph = {.hosts = 2, .pages = 30};
  CrawledWeb web;
  AddLinkGraph(graph, &web.web());
  web.Start();
  std::vector<std::string> seeds = Seeds(graph);
  for (int dead = 0; dead < 6; ++dead) seeds.push_back("http://dead" + std::to_string(dead) + ".test/");
  const Json summary = web.Crawl("a", With(seeds, {"--overlap", "--top_n", "2", "--sitemaps.guess=false"}));
  EXPECT_EQ(summary["pages"], 60) << summary;
  EXPECT_GT(Overlapped(summary), 0);
}

// robots.txt of one domain leads to the host of another, which was asked just before by the round beside it, or is next.
TEST(Overlap, TheDelayHoldsFromOneRoundToTheOtherBesideIt) {
  constexpr int kDelayMs = 400;
  CrawledWeb web;
  const TestPage rules = {.content_type = "text/plain", .body = "User-agent: *\nDisallow: /no\n"};
  for (const std::string host : {"a", "b", "c", "d"}) {
    const std::string other = host == "a" ? "b" : host == "b" ? "a" : host == "c" ? "d" : "c";
    web.web().AddHost(host + ".test", ServePages({{"/robots.txt", RedirectTo("http://" + other + ".test/rules")},
                                                  {"/rules", rules},
                                                  {"/", {.body = "<a href=/1>1</a><a href=/2>2</a>"}},
                                                  {"*", {.body = "page"}}}));
  }
  web.Start();
  const Json summary =
      web.Crawl("a", {"http://a.test/", "http://b.test/", "http://c.test/", "http://d.test/", "--overlap", "--top_n",
                      "1", "--fetch.delay_ms", std::to_string(kDelayMs), "--sitemaps.guess=false"});
  EXPECT_EQ(summary["pages"], 12) << summary;
  EXPECT_GT(Overlapped(summary), 0);
  std::string host;
  EXPECT_GE(MinGapMs(web.web().Log(), &host), kDelayMs) << host;
}

// The first round is killed while it is applied and the second is fetched: both are finished, and they had no domain in
// common.
TEST(Overlap, KilledWithTwoSegmentsOpenBothAreFinished) {
  const LinkGraph graph = {.hosts = 8, .pages = 6, .delay_ms = 150};
  CrawledWeb web(graph);
  web.Crawl("whole", With(Seeds(graph), {"--sitemaps.guess=false"}));
  const std::vector<std::string> expected = Rows(web, "whole");
  std::vector<std::string> two;
  std::string name;
  for (int tried = 0; tried < 10 && two.size() < 2; ++tried) {
    name = "killed" + std::to_string(tried);
    BinaryProcess process({.arguments = web.CrawlArguments(name, Overlapping(graph))});
    for (int look = 0; look < 100 && two.size() < 2; ++look) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (std::filesystem::exists(web.root(name) + "/snapshots")) two = Unfinished(web, name);
    }
    process.Signal(SIGKILL);
    process.Wait();
    two = Unfinished(web, name);
  }
  ASSERT_EQ(two.size(), 2U) << "no two segments were open at a time";
  // A scheduler's rounds finish them, one each.
  for (int round = 0; round < 2; ++round) {
    const BinaryResult result = web.Run(web.Arguments("round", name, {"--now", CrawledWeb::kNow}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }
  const std::set<std::string> one = HostsOf(web, name, two[0]), other = HostsOf(web, name, two[1]);
  EXPECT_FALSE(one.empty() || other.empty());
  for (const std::string& host : one) EXPECT_FALSE(other.contains(host)) << host << " is in both";
  for (const std::string& id : two) {
    const auto segments = Segments(web, name);
    const bool is_applied = std::any_of(segments.begin(), segments.end(), [&id](const auto& segment) {
      return segment.first == "applied" && segment.second == id;
    });
    EXPECT_TRUE(is_applied) << id;
  }
  web.Run(web.CrawlArguments(name, Overlapping(graph)));
  EXPECT_EQ(Rows(web, name), expected);
}

TEST(Overlap, KilledAnywhereItEndsTheSame) {
  const LinkGraph graph = {.hosts = 8, .pages = 8, .delay_ms = 5};
  CrawledWeb web(graph);
  // The kills are spread over the time that it takes on this machine.
  const auto began = std::chrono::steady_clock::now();
  EXPECT_GT(Overlapped(web.Crawl("whole", Overlapping(graph))), 3);
  const std::chrono::duration<double, std::milli> whole = std::chrono::steady_clock::now() - began;
  const std::vector<std::string> expected = Rows(web, "whole");
  ASSERT_EQ(expected.size(), 64U);
  const int crawls = std::getenv("TRAWL_TEST_SOAK") != nullptr ? 60 : kSanitized ? 2 : 4;
  std::mt19937 random(20260101);
  int killed = 0, beside = 0;
  for (int crawl = 0; crawl < crawls; ++crawl) {
    const std::string name = "killed" + std::to_string(crawl);
    for (int kill = 0; kill < 3; ++kill) {
      // The next command is now of this kind, now of the other.
      std::vector<std::string> arguments = web.CrawlArguments(name, Overlapping(graph));
      if (kill == 1 && crawl % 3 == 0) std::erase(arguments, "--overlap");
      BinaryProcess process({.arguments = arguments});
      const int64_t wait_ms =
          std::uniform_int_distribution<int64_t>(20, static_cast<int64_t>(whole.count() / 2))(random);
      std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
      process.Signal(SIGKILL);
      killed += process.Wait().signal == SIGKILL ? 1 : 0;
      if (std::filesystem::exists(web.root(name) + "/snapshots")) beside += Unfinished(web, name).size() == 2 ? 1 : 0;
    }
    const BinaryResult resumed = web.Run(web.CrawlArguments(name, Overlapping(graph)));
    ASSERT_TRUE(resumed.exit_code == 0 || resumed.exit_code == 1) << resumed.err;
    ASSERT_EQ(Rows(web, name), expected) << name;
    EXPECT_TRUE(Unfinished(web, name).empty());
  }
  std::printf("Overlapping crawls killed, run again, same rows: %d kills of %d crawls, %d with two segments open\n",
              killed, crawls, beside);
}

TEST(Overlap, AskedToStopItEndsAtOnceAndGoesOnLater) {
  const LinkGraph graph = {.hosts = 8, .pages = 6, .delay_ms = 200};
  CrawledWeb web(graph);
  {
    BinaryProcess process({.arguments = web.CrawlArguments("a", Overlapping(graph))});
    std::this_thread::sleep_for(std::chrono::milliseconds(kSanitized ? 6'000 : 1'500));
    process.Signal(SIGTERM);
    EXPECT_EQ(process.Wait().exit_code, 75);
  }
  const BinaryResult resumed = web.Run(web.CrawlArguments("a", Overlapping(graph)));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ((*ParseJson(resumed.out))["by_state"]["fetched"], 48);
}

// Waits for the record of the first fetch, and cuts the bodies of its segment short. Returns the whole files.
std::map<std::filesystem::path, std::string> CutBodies(const std::string& root) {
  std::map<std::filesystem::path, std::string> whole;
  for (int look = 0; look < 60'000 && whole.empty(); ++look) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::error_code none;
    for (const auto& segment : std::filesystem::directory_iterator(root + "/segments", none)) {
      if (!std::filesystem::exists(segment.path() / "fetch" / "_done.json")) continue;
      for (const auto& file : std::filesystem::directory_iterator(segment.path() / "content", none)) {
        if (file.path().extension() != ".orc") continue;
        std::stringstream bytes;
        bytes << std::ifstream(file.path(), std::ios::binary).rdbuf();
        whole[file.path()] = bytes.str();
        std::filesystem::resize_file(file.path(), 10);
      }
    }
  }
  return whole;
}

// A host whose first page takes longer than this test has patience; every later one comes at once.
TestHandler SlowTheFirstTime(const std::string& body) {
  const auto was_asked = std::make_shared<std::atomic<bool>>(false);
  return [body, was_asked](const TestRequest& request) {
    if (request.path == "/robots.txt") return AnswerWith(NotFound(), request);
    return AnswerWith({.body = body, .delay_ms = was_asked->exchange(true) ? 0 : 25'000}, request);
  };
}

// A file of bodies that is cut short after its fetch: parse fails, and the fetch beside it ends long before its time. The
// next command goes on with both.
TEST(Overlap, WhereParseFailsTheFetchBesideItEndsAndBothAreTakenUp) {
  CrawledWeb web;
  std::string seeds;
  for (int host = 0; host < 4; ++host) {
    const std::string number = std::to_string(host);
    web.web().AddHost("first" + number + ".test",
                      ServePages({{"/robots.txt", NotFound()}, {"*", {.body = "first " + number}}}));
    web.web().AddHost("slow" + number + ".test", SlowTheFirstTime("slow " + number));
    seeds += "http://first" + number + ".test/\tpriority=high\nhttp://slow" + number + ".test/\tpriority=low\n";
  }
  web.Start();
  const std::string file = web.root("seeds");
  std::ofstream(file) << seeds;
  const std::vector<std::string> more = {file,         "--overlap", "--top_n", "4", "--sitemaps.guess=false",
                                         "--attempts", "1"};
  BinaryProcess process({.arguments = web.CrawlArguments("a", more), .limit_ms = 300'000});
  const auto whole = CutBodies(web.root("a"));
  ASSERT_FALSE(whole.empty());
  const auto began = std::chrono::steady_clock::now();
  const BinaryResult failed = process.Wait();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
  EXPECT_EQ(failed.exit_code, 3) << failed.err;
  EXPECT_THAT(failed.err, HasSubstr("content")) << "the error names the file";
  EXPECT_LT(seconds.count(), 20) << "it waited for the slow hosts";
  const std::vector<std::string> left = Unfinished(web, "a");
  ASSERT_EQ(left.size(), 2U);
  for (const auto& [path, bytes] : whole) std::ofstream(path, std::ios::binary) << bytes;
  web.web().ClearLog();
  const Json resumed = web.Crawl("a", more);
  EXPECT_EQ(resumed["by_state"]["fetched"], 8) << resumed;
  EXPECT_EQ(resumed["taken_up"].size(), 2U);
  for (int host = 0; host < 4; ++host) EXPECT_EQ(web.Requests()["first" + std::to_string(host) + ".test/"], 0);
}

}  // namespace
}  // namespace trawl
