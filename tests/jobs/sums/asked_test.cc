#include "jobs/sums/asked.h"

#include <gtest/gtest.h>

#include "formats/rows/outcome.h"

namespace trawl {
namespace {

TEST(Asked, WhatWasSettledWithoutARequestIsNeitherARequestNorAnError) {
  for (const Outcome outcome : {Outcome::kRobotsDenied, Outcome::kRobotsDeferred, Outcome::kAddressRefused,
                                Outcome::kSchemeRefused, Outcome::kBreakerOpen, Outcome::kNotReached}) {
    EXPECT_FALSE(IsRequest(TextOf(outcome))) << TextOf(outcome);
  }
  EXPECT_FALSE(IsRequest("no_sitemap"));
  for (const Outcome outcome : {Outcome::kFetched, Outcome::kNotModified, Outcome::kRedirect}) {
    EXPECT_TRUE(IsRequest(TextOf(outcome)) && IsSuccess(TextOf(outcome))) << TextOf(outcome);
  }
  for (const Outcome outcome : {Outcome::kThrottled, Outcome::kServerError, Outcome::kTimeout, Outcome::kDnsFailed}) {
    EXPECT_TRUE(IsRequest(TextOf(outcome)) && !IsSuccess(TextOf(outcome))) << TextOf(outcome);
  }
}

TEST(Asked, TheCountersOfAPart) {
  const Json counters = {{"fetched", 83},
                         {"pages", 60},
                         {"outcome.fetched", 60},
                         {"outcome.redirect", 1},
                         {"outcome.timeout", 20},
                         {"outcome.no_sitemap", 2},
                         {"outcome.robots_denied", 30},
                         {"outcome.robots_deferred", 7}};
  const AskedSums sums = AskedSums::FromCounters(counters);
  EXPECT_EQ(sums.asked, 81);
  EXPECT_EQ(sums.succeeded, 61);
  EXPECT_EQ(sums.errors(), 20);
}

TEST(Asked, ADocumentMaySayAnything) {
  const Json counters = {{"a", INT64_MAX}, {"b", -5}, {"c", "7"}, {"outcome.timeout", INT64_MAX}, {"outcome.x", -1}};
  EXPECT_EQ(BoundedCounter(counters, "a"), kMostOfCounter);
  EXPECT_EQ(BoundedCounter(counters, "b"), 0);
  EXPECT_EQ(BoundedCounter(counters, "c"), 0);
  EXPECT_EQ(AskedSums::FromCounters(counters).errors(), kMostOfCounter);
  EXPECT_EQ(AskedSums::FromCounters(Json()).asked, 0);
}

}  // namespace
}  // namespace trawl
