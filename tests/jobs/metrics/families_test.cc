// The metrics of a crawl, word for word; what is not known is missing.
#include "jobs/metrics/families.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "jobs/metrics/dashboard.h"
#include "jobs/metrics/metrics.h"
#include "jobs/metrics/served.h"
#include "tests/support/values/test_data.h"

namespace trawl {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr TimeMs kNow = 1'772'366'400'000;

Manifest ExampleManifest() {
  Manifest manifest = {.number = 42, .published_ms = kNow - 60'000};
  manifest.tables["urls"] = {{.run = "a", .bytes = 4'000}, {.run = "b", .bytes = 1'000}};
  manifest.open_segments = {{.id = "s9", .opened_ms = kNow - 600'000, .until_ms = kNow + 600'000}};
  manifest.totals = Totals{.states = {{"unfetched", 7}, {"fetched", 90}, {"denied", 3}},
                           .bodies = 88,
                           .rounds = 2,
                           .requests = 120,
                           .pages = 100,
                           .bytes = 5'000'000,
                           .wire_bytes = 1'000'000};
  return manifest;
}

LiveCrawl ExampleLive() {
  LiveCrawl live = {.read_ms = kNow - 1'000, .snapshot = 42, .state = "fetch"};
  live.jobs = {{.id = "j", .verb = "fetch"}};
  live.segments = {{.id = "s9",
                    .state = "open",
                    .lists = 4,
                    .lists_begun = 3,
                    .lists_done = 1,
                    .settled = 30,
                    .left = 70,
                    .most_left = 40,
                    .age_ms = 9'000,
                    .sums = LiveSums::FromCounters({{"pages", 10},
                                                    {"bytes", 500},
                                                    {"wire_bytes", 200},
                                                    {"fetched", 14},
                                                    {"bodies_shared", 1},
                                                    {"outcome.fetched", 10},
                                                    {"outcome.timeout", 4},
                                                    {"outcome.made up", 2},
                                                    {"status.200", 10},
                                                    {"answers_in.50", 6},
                                                    {"answers_in.more", 4},
                                                    {"answers_ms", 200'500}})}};
  live.workers = {
      {.id = "w1", .since_ms = kNow - 100'000, .last_seen_ms = kNow, .state = WorkerState::kActive},
      {.id = "w2", .since_ms = kNow - 50'000, .last_seen_ms = kNow, .state = WorkerState::kSilent},
      {.id = "w3", .since_ms = kNow - 100'000, .last_seen_ms = kNow - 50'000, .state = WorkerState::kEnded}};
  live.rate = {.over_ms = 300'000, .pages_per_sec = 2.5, .bytes_per_sec = 1'000};
  return live;
}

EverSums ExampleEver() {
  EverSums ever = {.rounds = 2,
                   .duplicates = 5,
                   .outcomes = {{"fetched", 100}, {"robots_denied", 20}},
                   .codes = {{"2xx", 100}, {"4xx", 3}}};
  ever.answers.counts[1] = 103;
  ever.answers.sum_ms = 8'240;
  return ever;
}

Json ExampleRound() {
  return {
      {"kind", "round"},
      {"snapshot", 41},
      {"applied", "2026-03-01T11:00:00Z"},
      {"steps", {{"generate", {{"seconds", 1.5}}}, {"fetch", {{"seconds", 100.0}}}, {"parse", {{"seconds", nullptr}}}}},
      {"lists", {{{"ran_ms", 100'000}}, {{"ran_ms", 50'000}}}},
      {"fetch",
       {{"pages", 60},
        {"fetched", 80},
        {"bytes", 6'000},
        {"success_rate", 0.75},
        {"duplicate_rate", 0.1},
        {"statuses", {{"200", 60}, {"500", 20}}},
        {"outcomes", {{"fetched", 60}, {"server_error", 20}, {"no_sitemap", 1}}},
        {"response_ms", {{"average", 120.0}}},
        {"pages_per_second", 0.5}}},
      {"refreshed", 40},
      {"within_window", 39}};
}

MetricCounts ExampleCounts() {
  MetricCounts counts = {.snapshot = 42, .counted_ms = kNow - 5'000, .robots_unreachable = 2, .segment_bytes = 90'000};
  counts.urls.due = 12;
  counts.urls.frontier_hosts = 4;
  counts.urls.frontier_domains = 3;
  counts.holds = {
      .blocked = 1, .breaker_open = 2, .throttled = 3, .slow = 4, .suspected_trap = 5, .blocked_domains = 6};
  counts.filters = {.files = 2, .bytes = 2'048, .probes = 1'000, .false_positives = 9};
  return counts;
}

struct Example {
  Manifest manifest = ExampleManifest();
  LiveCrawl live = ExampleLive();
  EverSums ever = ExampleEver();
  Json round = ExampleRound();
  MetricCounts counts = ExampleCounts();
  MetricsInput input = {.crawl = "shop",
                        .now_ms = kNow,
                        .manifest = &manifest,
                        .live = &live,
                        .ever = &ever,
                        .round = &round,
                        .counts = &counts,
                        .jobs = {{{"fetch", "done"}, 2}, {{"fetch", "stopped"}, 1}, {{"inject", "done"}, 9}},
                        .filter_rate = 0.01,
                        .free_bytes = 1'000'000'000};
};

// TRAWL_TEST_WRITE_GOLDEN=1 writes the file anew.
TEST(Metrics, AreAsTheGoldenFileHasThem) {
  const Example example;
  std::string text = MetricsText(CrawlFamilies(example.input), MetricsFormat::kText);
  // It differs from build to build.
  text = text.substr(0, text.find("# HELP trawl_build_info"));
  if (std::getenv("TRAWL_TEST_WRITE_GOLDEN") != nullptr) std::ofstream(TestDataPath("metrics/metrics.txt")) << text;
  EXPECT_EQ(text, ReadTestData("metrics/metrics.txt"));
}

TEST(Metrics, WhatIsNotKnownIsMissing) {
  const Manifest manifest = {.number = 1};
  const std::string text =
      MetricsText(CrawlFamilies({.crawl = "new", .now_ms = kNow, .manifest = &manifest}), MetricsFormat::kText);
  EXPECT_THAT(text, HasSubstr("trawl_snapshot_number{crawl=\"new\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("trawl_open_segments{crawl=\"new\"} 0\n"));
  for (const char* name :
       {"trawl_urls", "trawl_fetch_pages", "trawl_fetch_workers", "trawl_round_pages", "trawl_hosts"}) {
    EXPECT_THAT(text, Not(HasSubstr(name)));
  }
}

TEST(Metrics, TheNameOfARootHasNoSecret) {
  const std::pair<const char*, const char*> cases[] = {{"./crawl", "crawl"},
                                                       {"/data/shop/", "shop"},
                                                       {"hdfs://nameservice/a/b", "b"},
                                                       {"hdfs://nameservice", "nameservice"},
                                                       {"s3://key:secret@bucket", "bucket"},
                                                       {"s3://k:s/t@bucket/x?scheme=http", "x"},
                                                       {".", "crawl"},
                                                       {"/", "crawl"}};
  for (const auto& [root, name] : cases) EXPECT_EQ(NameOfRoot(root), name) << root;
}

TEST(Served, RoutesAndMethodsAreBounded) {
  ServedRequests served;
  served.Count("/api/v1/pages/{id}", "GET", 200, 0.004);
  served.Count("/api/v1/pages/{id}", "GET", 200, 2);
  served.Count("", "BREW", 418, 0.1);
  for (size_t i = 0; i < 2 * ServedRequests::kMostRoutes; ++i) served.Count("/r" + std::to_string(i), "GET", 200, 0);
  const std::string text = MetricsText(served.Families(), MetricsFormat::kText);
  EXPECT_THAT(text,
              HasSubstr("trawl_http_requests_total{route=\"/api/v1/pages/{id}\",method=\"GET\",code=\"200\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("{route=\"other\",method=\"other\",code=\"418\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("_bucket{route=\"/api/v1/pages/{id}\",method=\"GET\",le=\"0.005\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("{route=\"other\",method=\"GET\",code=\"200\"} 201\n"));
  EXPECT_THAT(text, Not(HasSubstr("/r399")));
}

// -- the 13 values ----------------------------------------------------------------------------------------------------

TEST(Dashboard, HasThirteenValuesOfTheLastRound) {
  const Example example;
  const Json numbers = DashboardNumbers({.rounds = {&example.round},
                                         .manifest = &example.manifest,
                                         .frontier_domains = 3,
                                         .segment_bytes = 999'995'000,
                                         .filter_bytes = 2'048});
  const Json expected = {
      {"pagesPerSecond", 0.5},        {"bytesPerSecond", 50.0}, {"frontierSize", 7},
      {"uniqueDomainsInFrontier", 3}, {"successRate", 0.75},    {"errorsByType", {{"server_error", 20}}},
      {"averageResponseTime", 120.0}, {"activeWorkers", 0},     {"workerUtilization", 0.75},
      {"totalPagesStored", 88},       {"storageUsedGB", 1.0},   {"bloomFilterSize", 2'048},
      {"duplicateRate", 0.1}};
  EXPECT_EQ(DumpJson(numbers), DumpJson(expected));
}

TEST(Dashboard, TellsOfTheFetchThatRuns) {
  const Example example;
  const Json numbers =
      DashboardNumbers({.rounds = {&example.round}, .manifest = &example.manifest, .live = &example.live});
  EXPECT_EQ(numbers["pagesPerSecond"], 2.5);
  EXPECT_EQ(numbers["bytesPerSecond"], 1'000.0);
  EXPECT_EQ(numbers["activeWorkers"], 1);
  EXPECT_NEAR(numbers["workerUtilization"].get<double>(), 2.0 / 3, 1e-9);
  EXPECT_TRUE(numbers["uniqueDomainsInFrontier"].is_null());
}

TEST(Dashboard, AddsUpSeveralRounds) {
  const Json first = ExampleRound();
  Json second = ExampleRound();
  second["fetch"]["pages"] = 20;
  second["fetch"]["fetched"] = 20;
  second["fetch"]["success_rate"] = 1.0;
  Json reading = ExampleRound();
  reading["kind"] = "reparse";
  const Json numbers = DashboardNumbers({.rounds = {&first, &second, &reading}});
  EXPECT_DOUBLE_EQ(numbers["successRate"].get<double>(), 0.8);
  EXPECT_DOUBLE_EQ(numbers["pagesPerSecond"].get<double>(), 0.5);
  EXPECT_EQ(numbers["errorsByType"]["server_error"], 40);
}

// The average of all rounds is that of all their answers, as trawl crawl and /metrics have it.
TEST(Dashboard, WeighsResponseTimesByTheAnswersThatWereTimed) {
  Json first = ExampleRound(), second = ExampleRound();
  first["fetch"]["response_ms"] = {{"average", 10.0},
                                   {"ranges", {{{"le", 50}, {"count", 1}}, {{"le", nullptr}, {"count", 2}}}}};
  second["fetch"]["response_ms"] = {{"average", 50.0}, {"ranges", {{{"le", 50}, {"count", 1}}}}};
  EXPECT_DOUBLE_EQ(DashboardNumbers({.rounds = {&first, &second}})["averageResponseTime"].get<double>(), 20.0);
}

}  // namespace
}  // namespace trawl
