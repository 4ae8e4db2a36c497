// The lines of trawl watch over made-up numbers.
#include <gtest/gtest.h>

#include "jobs/live/watch.h"

namespace trawl {
namespace {

LiveWorker Worker(int task, WorkerState state, double pages_per_sec, int64_t left) {
  LiveWorker worker = {.task = task, .segment = "s1", .state = state, .pages_per_sec = pages_per_sec};
  worker.left = left;
  return worker;
}

// Three lists, of which two have ended fast.
LiveCrawl OneSlowList() {
  LiveCrawl live = {.state = "fetch"};
  live.rate = {.over_ms = 60'000, .pages_per_sec = 20};
  live.segments = {{.id = "s1", .state = "open", .lists = 3, .lists_begun = 3, .lists_done = 2, .settled = 92}};
  live.segments[0].left = live.segments[0].most_left = 40;
  live.workers = {Worker(0, WorkerState::kActive, 0.5, 40), Worker(1, WorkerState::kEnded, 12, 0),
                  Worker(2, WorkerState::kEnded, 7.5, 0)};
  return live;
}

std::string SegmentLine(const LiveCrawl& live) {
  for (const std::string& line : WatchLines(live, 10)) {
    if (line.starts_with("segment ")) return line;
  }
  return "";
}

TEST(WatchLines, ListsThatEndedHaveNoRateForThoseThatAreLeft) {
  EXPECT_EQ(
      SegmentLine(OneSlowList()),
      "segment   s1 open: 92 of 132 done; lists: 2 of 3 done, 1 under way, 40 left on the longest; 1 min 20 s left "
      "at the rate of these lists");
}

TEST(WatchLines, TheSlowestListDecides) {
  LiveCrawl live = OneSlowList();
  live.workers[1] = Worker(1, WorkerState::kActive, 9.5, 10);
  live.segments[0].left = 50;
  EXPECT_NE(SegmentLine(live).find("; 1 min 20 s left"), std::string::npos) << SegmentLine(live);
  // Lists that nobody has begun wait for those.
  live.segments[0].left = 2'000;
  EXPECT_NE(SegmentLine(live).find("; 3 min 20 s left"), std::string::npos) << SegmentLine(live);
}

TEST(WatchLines, NothingIsSaidOfTheTimeWhereAListHasNoRate) {
  LiveCrawl live = OneSlowList();
  live.workers[0].pages_per_sec = 0;
  EXPECT_EQ(SegmentLine(live).find("at the rate"), std::string::npos) << SegmentLine(live);
}

}  // namespace
}  // namespace trawl
