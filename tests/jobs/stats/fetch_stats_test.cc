#include "jobs/stats/fetch_stats.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

FetchRow RowOf(Outcome outcome, int32_t status = 0) {
  FetchRow row;
  row.key = "com,example)/";
  row.outcome = outcome;
  row.status = status;
  return row;
}

TEST(FetchStats, WhatWasNotAskedForHasNotFailed) {
  FetchStats stats;
  stats.Add(RowOf(Outcome::kFetched, 200));
  stats.Add(RowOf(Outcome::kNotModified, 304));
  stats.Add(RowOf(Outcome::kRedirect, 301));
  stats.Add(RowOf(Outcome::kServerError, 500));
  stats.Add(RowOf(Outcome::kRobotsDenied));
  stats.Add(RowOf(Outcome::kRobotsDeferred));
  FetchRow of_dead_host = RowOf(Outcome::kDnsFailed);
  of_dead_host.reason = "nobody is there to ask for robots.txt: no such name";
  stats.Add(of_dead_host);
  const Json json = ToJson(stats);
  EXPECT_EQ(json["fetched"], 4);
  EXPECT_EQ(json["success_rate"], 0.75);
  EXPECT_EQ(ToJson(FetchStats())["success_rate"], 0.0);
}

FetchRow Of(const std::string& key, Outcome outcome, int32_t status, int32_t total_ms) {
  FetchRow row = RowOf(outcome, status);
  row.key = key;
  row.total_ms = total_ms;
  return row;
}

// The stats of two parts of a round, in either order.
Json Merged(const std::vector<FetchRow>& first, const std::vector<FetchRow>& second) {
  FetchStats stats, more;
  for (const FetchRow& row : first) stats.Add(row);
  for (const FetchRow& row : second) more.Add(row);
  stats.Merge(std::move(more));
  return ToJson(stats);
}

TEST(FetchStats, HostsErrorsAndContentOfPartsAddUpInAnyOrder) {
  FetchRow denied = Of("com,c)/x", Outcome::kRobotsDenied, 0, 0);
  denied.robots_rule = "Disallow: /x";
  FetchRow deferred = Of("com,d)/", Outcome::kRobotsDeferred, 0, 0);
  FetchRow cut = Of("com,a)/big", Outcome::kFetched, 200, 40);
  cut.content_file = "f";
  cut.content_type = "Text/HTML; charset=utf-8";
  cut.bytes = 1025;
  cut.truncated = Truncation::kSize;
  const std::vector<FetchRow> first = {Of("com,b)/2", Outcome::kServerError, 500, 50), denied, deferred, cut};
  const std::vector<FetchRow> second = {Of("com,b)/1", Outcome::kServerError, 500, 51),
                                        Of("com,b)/3", Outcome::kDnsFailed, 0, 0), deferred};
  const Json json = Merged(first, second);
  EXPECT_EQ(json, Merged(second, first));
  EXPECT_EQ(json["failing_hosts"], (Json::array({{{"host", "b.com"}, {"failures", 3}, {"requests", 3}}})));
  EXPECT_EQ(json["slowest_hosts"].size(), 2u) << "hosts without an answer have no time";
  EXPECT_EQ(json["top_errors"][1]["reason"], "server_error 500");
  EXPECT_EQ(json["top_errors"][1]["example"], "https://b.com/1") << "the smallest";
  EXPECT_EQ(json["robots"]["denied"], 1);
  EXPECT_EQ(json["robots"]["deferred"], 2);
  EXPECT_EQ(json["robots"]["unreachable_hosts"], 1);
  EXPECT_EQ(json["robots"]["rules"][0]["rule"], "Disallow: /x");
  EXPECT_EQ(json["types"], (Json{{"text/html", 1}}));
  EXPECT_EQ(json["truncated"], (Json{{"size", 1}}));
  EXPECT_EQ(json["sizes"][1], (Json{{"le", 4096}, {"count", 1}}));
  EXPECT_EQ(json["response_ms"]["ranges"][0], (Json{{"le", 50}, {"count", 2}})) << "a bound is within its range";
  EXPECT_EQ(json["response_ms"]["ranges"][1], (Json{{"le", 100}, {"count", 1}}));
  EXPECT_EQ(json["response_ms"]["sum"], 141);
}

}  // namespace
}  // namespace trawl
