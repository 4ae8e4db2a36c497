#include "jobs/verb/live_gauges.h"

#include <gtest/gtest.h>

#include "tests/support/process/manual_clock.h"

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
  EXPECT_EQ(live.Line(),
            "200 of 2,000 done, 100 pages/s; waiting: 40 hosts for delay, 3 for DNS, 2 for slow servers, all for the "
            "CPU, all for the disk; 18 s left; 2 errors, 10 hosts active, 1.0 MiB/s");
}

// A round whose last page failed waits minutes for the retry: the line says how long, and fits into 80 columns so far.
TEST(LiveGauges, ALongWaitSaysHowLong) {
  ManualClock clock;
  LiveGauges live(clock);
  live.Take("m0-0", ToJson(FetchGauges{.settled = 27, .left = 1, .wait_for_delay = 1, .next_ms = 200'900}));
  live.Take("m1-0", ToJson(FetchGauges{.settled = 10}));
  EXPECT_EQ(live.Line(),
            "37 of 38 done, 0 pages/s; waiting: 1 host for 3 min 20 s (delay or retry); 0 errors, 0 hosts active, "
            "0 B/s");
  live.Take("m1-0", ToJson(FetchGauges{.settled = 10, .wait_for_delay = 1, .next_ms = 400}));
  EXPECT_EQ(live.Line(), "37 of 38 done, 0 pages/s; waiting: 2 hosts for delay; 0 errors, 0 hosts active, 0 B/s");
}

// Two commands fetch one round: the other attempt may run on another machine, or have ended without a word.
TEST(LiveGauges, AListOfAnotherAttemptIsWaitedFor) {
  ManualClock clock;
  LiveGauges live(clock);
  live.Take("m0-0", ToJson(FetchGauges{.left = 3, .waits_for_attempt = "20260101T000000Z-fetch-1"}));
  EXPECT_EQ(live.Line(),
            "0 of 3 done, 0 pages/s; waiting: a list that another attempt holds, 20260101T000000Z-fetch-1; 0 errors, "
            "0 hosts active, 0 B/s");
}

TEST(LiveGauges, WhatComesBackIsWhatWasShown) {
  FetchGauges gauges = {.pages = 1,
                        .bytes = 2,
                        .errors = 3,
                        .settled = 4,
                        .left = 5,
                        .hosts_active = 6,
                        .wait_for_delay = 7,
                        .next_ms = 8};
  gauges.waits_for_attempt = "a";
  EXPECT_EQ(ToJson(FetchGaugesFromJson(ToJson(gauges))), ToJson(gauges));
  EXPECT_EQ(ToJson(FetchGaugesFromJson({{"pages", "none"}})), ToJson(FetchGauges()));
}

}  // namespace
}  // namespace trawl
