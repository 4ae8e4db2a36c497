#include "jobs/capture/parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "jobs/capture/captures.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A fetch of one task with a part for each number of bytes of bodies; each has a file of fetch rows of 10 bytes.
StepRecord Fetched(const std::vector<int64_t>& bodies, size_t robots) {
  StepTask task;
  for (size_t part = 0; part < bodies.size(); ++part) {
    const std::string name = "f-" + std::to_string(part) + "-0.orc";
    task.files["fetch"].push_back({.name = name, .rows = 1, .seal = {.size_bytes = 10}});
    if (bodies[part] == 0) continue;
    task.files["content"].push_back({.name = name, .rows = 1, .seal = {.size_bytes = bodies[part]}});
  }
  for (size_t file = 0; file < robots; ++file) task.files["robots"].push_back({.name = "r" + std::to_string(file)});
  return {.segment = "s1", .step = kFetchStep, .tasks = {task}};
}

std::vector<ArchivePartPlan> Cut(const StepRecord& fetched, int64_t bytes) {
  std::vector<ArchivePartPlan> parts;
  CutIntoParts(fetched, 0, bytes, &parts);
  return parts;
}

TEST(ArchiveParts, AreFilledWithConsecutiveFilesByTheirBytes) {
  const ArchivePartPlan first = {.number = 0, .fetch_end = 2, .robots_end = 1};
  const ArchivePartPlan second = {.number = 1, .fetch_begin = 2, .fetch_end = 3, .robots_begin = 1, .robots_end = 2};
  const ArchivePartPlan third = {.number = 2, .fetch_begin = 3, .fetch_end = 5, .robots_begin = 2, .robots_end = 3};
  EXPECT_THAT(Cut(Fetched({40, 40, 90, 80, 0}, 3), 100), ElementsAre(first, second, third));
}

TEST(ArchiveParts, AFileThatIsLargerThanAPartIsAPart) { EXPECT_EQ(Cut(Fetched({1000, 1000}, 0), 100).size(), 2u); }

TEST(ArchiveParts, RobotsAloneAreAPartAndNothingIsNone) {
  EXPECT_THAT(Cut(Fetched({}, 2), 100), ElementsAre(ArchivePartPlan{.robots_end = 2}));
  EXPECT_THAT(Cut(Fetched({}, 0), 100), IsEmpty());
}

TEST(ArchiveParts, NumbersGoOnInTheNextSegment) {
  std::vector<ArchivePartPlan> parts;
  CutIntoParts(Fetched({1}, 0), 0, 100, &parts);
  CutIntoParts(Fetched({1}, 0), 1, 100, &parts);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[1].number, 1);
  EXPECT_EQ(parts[1].segment, 1u);
  ASSERT_OK_AND_ASSIGN(const ArchivePartPlan read, ArchivePartPlanFromJson(ToJson(parts[1])));
  EXPECT_EQ(read, parts[1]);
}

TEST(ArchiveCaptures, OnlyAHeadThatEndsInAnEmptyLineIsWhole) {
  for (const char* const head : {"HTTP/1.1 200 OK\r\nA: b\r\n\r\n", "HTTP/1.1 200 OK\n\n", "HTTP/1.1 200 OK\n\r\n"}) {
    EXPECT_TRUE(HasWholeHead(head)) << head;
  }
  for (const char* const head : {"", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nA: b", "\r\n"}) {
    EXPECT_FALSE(HasWholeHead(head)) << head;
  }
}

TEST(ArchiveCaptures, OlderRowsTellWhenTheyBeganByHowLongTheyTook) {
  EXPECT_EQ(BeganMs({.fetched_ms = 1000, .total_ms = 250}), 750);
  EXPECT_EQ(BeganMs({.fetched_ms = 1000, .total_ms = 250, .began_ms = 740}), 740);
}

}  // namespace
}  // namespace trawl
