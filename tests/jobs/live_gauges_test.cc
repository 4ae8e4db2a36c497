#include "jobs/live_gauges.h"

#include <gtest/gtest.h>

#include "tests/support/manual_clock.h"

namespace trawl {
namespace {

TEST(LiveGauges, TheLineSaysRatesProgressAndWhatTheRestWaitsFor) {
  ManualClock clock;
  LiveGauges live(clock);
  EXPECT_EQ(live.Line(), "");
  FetchGauges one;
  one.left = 1'000;
  live.Take("m0-0", ToJson(one));
  live.Take("m1-0", ToJson(one));
  live.Line();
  clock.Advance(2'000);
  one = {.pages = 100,
         .bytes = 1 << 20,
         .errors = 1,
         .settled = 100,
         .left = 900,
         .hosts_active = 5,
         .wait_for_delay = 20};
  live.Take("m0-0", ToJson(one));
  one.wait_for_names = 3;
  one.wait_for_servers = 2;
  one.waits_for_disk = true;
  one.busy_percent = 95;
  live.Take("m1-0", ToJson(one));
  EXPECT_EQ(
      live.Line(),
      "100 pages/s, 1.0 MiB/s, 200 of 2,000 done, 2 errors, 10 hosts active; waiting: 40 hosts for their delay, 3 for "
      "DNS, 2 for slow servers, all for the CPU, all for the disk; 18 s left");
}

TEST(LiveGauges, WhatComesBackIsWhatWasShown) {
  FetchGauges gauges = {.pages = 1, .bytes = 2, .errors = 3, .settled = 4, .left = 5, .hosts_active = 6};
  gauges.waits_for_attempt = "a";
  EXPECT_EQ(ToJson(FetchGaugesFromJson(ToJson(gauges))), ToJson(gauges));
  EXPECT_EQ(ToJson(FetchGaugesFromJson({{"pages", "none"}})), ToJson(FetchGauges()));
}

}  // namespace
}  // namespace trawl
