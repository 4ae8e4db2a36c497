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

}  // namespace
}  // namespace trawl
