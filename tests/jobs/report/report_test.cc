// trawl report: the same bytes for the same crawl, whatever sites have sent, and on every root that there was.
#include "jobs/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "jobs/report/growth.h"
#include "tests/support/crawl/crawled_web.h"
#include "tests/support/process/trawl_command.h"
#include "tests/support/values/test_data.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kLater[] = "2026-03-01T00:00:00Z";

std::string ReportOf(const std::string& root, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {"report", "--root", root, "--now", kLater};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const BinaryResult result = Trawl(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

size_t CountOf(const std::string& text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// What holds for every page that is sent to others.
void ExpectHarmless(const std::string& html) {
  EXPECT_THAT(
      html, HasSubstr("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-"));
  EXPECT_EQ(CountOf(html, "<script"), 0u);
  EXPECT_EQ(CountOf(html, "<img"), 0u);
  EXPECT_EQ(CountOf(html, "<link"), 0u);
  EXPECT_EQ(CountOf(html, " style="), 0u);
  EXPECT_EQ(CountOf(html, " src="), 0u);
  EXPECT_EQ(CountOf(html, "@import"), 0u);
  EXPECT_LE(html.size(), 300'000u);
}

TEST(Report, OfAStoredCrawlHasTheseBytes) {
  const std::string root = TestDataPath("root-5");
  const std::string html = ReportOf(root);
  ExpectHarmless(html);
  EXPECT_EQ(html, ReportOf(root, {"--threads", "1"}));
  if (std::getenv("TRAWL_TEST_WRITE_GOLDEN") != nullptr) {
    std::ofstream(TestDataPath("golden_report") + "/root-5.html", std::ios::binary) << html;
  }
  EXPECT_TRUE(html == ReadTestData("golden_report/root-5.html"))
      << "after a change that is meant, run this test with TRAWL_TEST_WRITE_GOLDEN=1 and look at the page";
}

TEST(Report, OfOlderRootsTellsWhatTheyKnow) {
  for (const char* name : {"root-1", "root-2", "root-3", "root-4"}) {
    SCOPED_TRACE(name);
    const std::string html = ReportOf(TestDataPath(name));
    ExpectHarmless(html);
    EXPECT_THAT(html, HasSubstr("<h2>States</h2>"));
    EXPECT_THAT(html, HasSubstr("<h2>Storage</h2>"));
    EXPECT_THAT(html, HasSubstr("URLs that become due, by hour"));
  }
  EXPECT_THAT(ReportOf(TestDataPath("root-1")), HasSubstr("applied by an older version, without numbers"));
}

TEST(Report, HasAtMostAHundredRounds) {
  const BinaryResult result = Trawl({"report", "--root", TestDataPath("root-5"), "--last", "101"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("a report has at most 100 rounds; --openmetrics takes more"));
}

TEST(Report, BeforeTheFirstRoundTellsThePresent) {
  const TemporaryFolder folder;
  const std::string root = folder.path() + "/crawl";
  AnswerOf(Trawl({"inject", "--root", root, "--json", "http://first.example/"}));
  const std::string html = ReportOf(root);
  EXPECT_THAT(html, HasSubstr("No round has been applied yet"));
  EXPECT_THAT(html, Not(HasSubstr("Response times")));
  ExpectHarmless(html);
}

TEST(Report, AnUnknownSegmentIsAUsageError) {
  const BinaryResult result = Trawl({"report", "--root", TestDataPath("root-5"), "--segment", "nowhere"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("no round of segment 'nowhere' was applied; trawl rounds"));
}

// Every place where words of a site reach the page.
TEST(Report, WhatSitesSendIsText) {
  CrawledWeb web;
  const std::string evil = "<script>alert(1)</script><img src=x onerror=alert(1)>";
  web.web().AddHost(
      "a.test",
      ServePages(
          {{"/robots.txt",
            {.content_type = "text/plain", .body = "User-agent: *\nDisallow: /no" + evil + "\nDisallow: /n\n"}},
           {"/",
            {.body = "<title>" + evil +
                     "</title><a href='/n/%3Cscript%3E'>a</a><a href='/gone?\"><script>'>b</a><a href=/odd>c</a>"}},
           {"/odd", {.content_type = "text/x-<b>evil", .body = "text"}},
           {"/gone", {.status = 410}}}));
  web.Start();
  const Json summary = web.Crawl("a", {"http://a.test/"});
  EXPECT_GE(summary["fetched"], 3);
  const std::string html = ReportOf(web.root("a"));
  ExpectHarmless(html);
  EXPECT_EQ(CountOf(html, "onerror=alert"), CountOf(html, "&lt;img src=x onerror=alert"));
  EXPECT_THAT(html, HasSubstr("Disallow: /n"));
  EXPECT_THAT(html, HasSubstr("rel=\"noreferrer noopener nofollow\""));
}

TEST(Report, JsonHasTheRoundThePresentAndTheDashboard) {
  CrawledWeb web(LinkGraph{.hosts = 3, .pages = 5});
  const Json summary = web.Crawl("a", {web.seed()});
  Json report = *ParseJson(ReportOf(web.root("a"), {"--json"}));
  EXPECT_EQ(report["present"]["states"], summary["by_state"]);
  EXPECT_EQ(report["rounds"].size(), summary["rounds"].get<size_t>());
  EXPECT_EQ(report["round"]["snapshot"], report["rounds"].back()["snapshot"]);
  int64_t pages = 0;
  for (const Json& round : report["rounds"]) pages += round["pages"].get<int64_t>();
  EXPECT_EQ(pages, summary["pages"]);
  EXPECT_EQ(report["present"]["due_by_hour"]["counts"].size(), 168u);
  // The thirteen values of a dashboard, as the crawl itself has told them.
  const Json& dashboard = report["dashboard"];
  EXPECT_EQ(dashboard.size(), 13u);
  EXPECT_EQ(dashboard["frontierSize"], summary["frontier"]["urls"]);
  EXPECT_EQ(dashboard["totalPagesStored"], report["round"]["totals"]["bodies"]);
  EXPECT_EQ(dashboard["successRate"], report["round"]["fetch"]["success_rate"]);
  EXPECT_EQ(dashboard["averageResponseTime"], report["round"]["fetch"]["response_ms"]["average"]);
  EXPECT_EQ(dashboard["duplicateRate"], report["round"]["fetch"]["duplicate_rate"]);
}

TEST(Report, DueHoursAddUpToTheUrlsThatAreNotDueNow) {
  CrawledWeb web(LinkGraph{.hosts = 2, .pages = 4});
  web.Crawl("a", {web.seed()});
  const auto report = web.Object(web.Arguments("report", "a", {"--now", "2026-01-01T00:30:00Z"}));
  const Json& present = report["present"];
  int64_t sum = present["due"].get<int64_t>() + present["due_by_hour"]["later"].get<int64_t>();
  for (const Json& count : present["due_by_hour"]["counts"]) sum += count.get<int64_t>();
  EXPECT_EQ(sum, present["urls"]);
  EXPECT_EQ(present["due_by_hour"]["from_ms"], 1'767'225'600'000) << "the hour begins before now";
}

TEST(Report, IsWrittenAsAWholeFile) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/r.html";
  EXPECT_EQ(ReportOf(TestDataPath("root-5"), {"--output", file}), "");
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_FALSE(std::filesystem::exists(file + ".part"));
  const BinaryResult failed =
      Trawl({"report", "--root", TestDataPath("root-5"), "--output", folder.path() + "/no/r.html"});
  EXPECT_EQ(failed.exit_code, 3);
  EXPECT_THAT(failed.err, HasSubstr("/no/r.html: cannot be written"));
}

TEST(Report, OpenMetricsHasASamplePerRound) {
  CrawledWeb web(LinkGraph{.hosts = 2, .pages = 4});
  const Json summary = web.Crawl("a", {web.seed()});
  const std::string text = ReportOf(web.root("a"), {"--openmetrics"});
  EXPECT_EQ(CountOf(text, "\ntrawl_round_pages{"), summary["rounds"].get<size_t>());
  EXPECT_TRUE(text.ends_with("# EOF\n"));
  const BinaryResult both = web.Run(web.Arguments("report", "a", {"--openmetrics"}));
  EXPECT_EQ(both.exit_code, 2) << "with --json";
}

// A report of everything at its limit.
Json LongestReport() {
  const std::string longest(5000, '<');
  Json round = *ParseJson(ReportOf(TestDataPath("root-5"), {"--json"}));
  Json report = round;
  Json& full = report["round"];
  Json minutes = Json::array(), lists = Json::array(), errors = Json::array(), dots = Json::array(),
       hosts = Json::array();
  for (int i = 0; i < 1440; ++i)
    minutes.push_back({1'767'268'800'000 + i * 60'000, 123'456 + i, 987'654'321, 123'457, 99'999});
  for (int i = 0; i < 1000; ++i)
    lists.push_back({{"list", i}, {"urls", 1'000'000}, {"hosts", 1000}, {"ran_ms", 3'600'000 - i}});
  for (int i = 0; i < 20; ++i)
    errors.push_back({{"reason", longest}, {"count", 1'000'000}, {"example", "http://a.example/" + longest}});
  for (int i = 0; i < 20; ++i)
    hosts.push_back({{"host", longest}, {"average_ms", 5000}, {"answers", 10}, {"failures", 10}, {"requests", 10}});
  for (int i = 0; i < 200; ++i)
    dots.push_back({{"host", std::string(253, 'h')}, {"requests", 100 + i}, {"gap_ms", 1000 + i}, {"delay_ms", 1000}});
  full["minutes"] = {{"step_ms", 60'000}, {"rows", minutes}};
  full["lists"] = lists;
  full["fetch"]["top_errors"] = errors;
  full["fetch"]["slowest_hosts"] = full["fetch"]["failing_hosts"] = hosts;
  full["fetch"]["robots"] = {{"denied", 1}, {"deferred", 1}, {"unreachable_hosts", 1}, {"rules", Json::array()}};
  for (int i = 0; i < 20; ++i)
    full["fetch"]["robots"]["rules"].push_back(
        {{"rule", longest}, {"count", 1}, {"example", "http://a.example/" + longest}});
  full["politeness"] = {{"hosts", 200},    {"requests", 1},         {"gaps", 1},
                        {"violations", 0}, {"smallest_ratio", 1.0}, {"dots", dots}};
  for (int i = 0; i < 200; ++i) full["fetch"]["types"]["type" + std::to_string(i) + longest] = i;
  Json many = Json::array();
  for (int64_t i = 0; i < 100; ++i) {
    many.push_back(report["rounds"].back());
    many.back()["applied_ms"] = 1'767'268'800'000 + i * 3'600'000;
    for (int o = 0; o < 26; ++o) many.back()["outcomes"]["outcome_" + std::to_string(o)] = 1000 + o * i;
  }
  report["rounds"] = many;
  for (Json& count : report["present"]["due_by_hour"]["counts"]) count = 123'456;
  return report;
}

TEST(Report, IsNeverLongerThanItMayBe) {
  const std::string html = ReportHtml(LongestReport());
  ExpectHarmless(html);
  EXPECT_GT(html.size(), 100'000u) << "it is about a long one";
}

TEST(Report, OfADocumentWithOtherTypesIsStillAPage) {
  Json report = {
      {"crawl", 7},
      {"snapshot", "x"},
      {"round", {{"fetch", "no"}, {"lists", 3}, {"minutes", {{"rows", {1, {2}}}}}, {"steps", {{"fetch", 1}}}}},
      {"rounds", {{{"applied_ms", "x"}}, 5}},
      {"present", 1}};
  ExpectHarmless(ReportHtml(report));
  ExpectHarmless(ReportHtml(Json()));
}

TEST(Growth, IsWhatTheRoundsWrotePerDay) {
  const auto round = [](int64_t at_ms, int64_t tables, int64_t segment) {
    return Json{{"applied_ms", at_ms}, {"storage", {{"tables", tables}, {"segment", segment}}}};
  };
  const Growth growth = GrowthOf({round(0, 100, 1000), round(kDayMs, 150, 30), round(2 * kDayMs, 160, 40)});
  EXPECT_TRUE(growth.is_known);
  EXPECT_DOUBLE_EQ(growth.bytes_a_day, (60 + 30 + 40) / 2.0) << "the first round's segment was there before";
  EXPECT_DOUBLE_EQ(DaysLeft(growth, 650), 10);
  EXPECT_DOUBLE_EQ(GrowthOf({round(0, 100, 9), round(kMinuteMs, 100, 30)}).bytes_a_day, 30) << "a burst is no day";
  EXPECT_TRUE(std::isnan(DaysLeft(growth, std::nan(""))));
  EXPECT_FALSE(GrowthOf(Json::array()).is_known);
  EXPECT_FALSE(GrowthOf({round(5, 1, 1)}).is_known);
  EXPECT_FALSE(GrowthOf({round(5, 1, 1), round(5, 1, 1)}).is_known);
  EXPECT_TRUE(std::isinf(DaysLeft(GrowthOf({round(0, 100, 0), round(kDayMs, 90, 0)}), 1000)));
}

}  // namespace
}  // namespace trawl
