#include "jobs/audit/used.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

Json Fact(const char* process, int64_t from_ms, int64_t to_ms, int64_t cpu_from, int64_t cpu_to) {
  return {{"process", process},           {"cores", 2},          {"at_ms", {from_ms, to_ms}},
          {"cpu_ms", {cpu_from, cpu_to}}, {"disk_read", {0, 0}}, {"disk_written", {cpu_from * 10, cpu_to * 10}}};
}

TEST(Used, TasksOfOneProcessAreCountedOnce) {
  // Two tasks of p that overlap, and one of q on another machine.
  const Json used = SumUse(
      {Fact("p", 0, 8000, 100, 1100), Fact("p", 2000, 10'000, 300, 2100), Fact("q", 0, 10'000, 0, 2000)}, 50'000);
  EXPECT_EQ(used["processes"], 2);
  EXPECT_EQ(used["seconds"], 10.0);
  EXPECT_EQ(used["cpu_seconds"], 4.0);
  EXPECT_EQ(used["cpu_share"], 0.1);
  EXPECT_EQ(used["disk_written_bytes"], 40'000);
  EXPECT_EQ(used["disk_bytes_per_second"], 4000.0);
  EXPECT_EQ(used["wire_bytes_per_second"], 5000.0);
}

TEST(Used, WithoutFactsNothingIsKnown) {
  const Json used = SumUse({Json(), Json::object()}, 7);
  EXPECT_EQ(used["processes"], 0);
  EXPECT_EQ(used["cpu_share"], 0.0);
  EXPECT_EQ(used["wire_bytes_per_second"], 0.0);
}

TEST(Used, AProcessKnowsItself) {
  const ProcessUse began = ProcessUse::Now(SystemClock());
  volatile double sum = 0;
  while (ProcessUse::Now(SystemClock()).cpu_ms < began.cpu_ms + 20) {
    for (int i = 0; i < 10'000; ++i) sum = sum + i;
  }
  const Json used = SumUse({UseFact(began, ProcessUse::Now(SystemClock()))}, 0);
  EXPECT_GE(used["cpu_seconds"].get<double>(), 0.02);
}

}  // namespace
}  // namespace trawl
