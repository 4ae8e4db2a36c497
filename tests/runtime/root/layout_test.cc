#include "runtime/root/layout.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

TEST(Layout, PathsAreWhatDocumentationSays) {
  EXPECT_EQ(SnapshotPath(42), "snapshots/00000042.json");
  EXPECT_EQ(SnapshotPath(1234567890), "snapshots/1234567890.json");
  EXPECT_EQ(RunFilePath("urls", "r1", "m0-0-0.orc"), "crawldb/urls/r1/m0-0-0.orc");
  EXPECT_EQ(RunRecordPath("hosts", "r1"), "crawldb/hosts/r1/_run.json");
  EXPECT_EQ(DatasetFilePath("s1", "fetch", "p0.orc"), "segments/s1/fetch/p0.orc");
  EXPECT_EQ(DatasetRecordPath("s1", "parse"), "segments/s1/parse/_done.json");
  EXPECT_EQ(AttemptPath("s1", 3, 7), "segments/s1/_attempts/3/7.json");
  EXPECT_EQ(PlanPath("j1"), "jobs/j1/plan.json");
  EXPECT_EQ(ReportPath("j1"), "jobs/j1/report.json");
  EXPECT_EQ(JobInputPath("j1", 0), "jobs/j1/_input-0");
}

TEST(Layout, EveryPathParsesBack) {
  for (const Place& place : {
           Place{.kind = PlaceKind::kSnapshot, .number = 0},
           Place{.kind = PlaceKind::kSnapshot, .number = 123456789},
           Place{.kind = PlaceKind::kRunFile, .id = "r1", .dataset = "urls", .name = "r0-0-0.orc"},
           Place{.kind = PlaceKind::kRunFile, .id = "r1", .dataset = "urls", .name = "_r0-0-0.idx"},
           Place{.kind = PlaceKind::kRunRecord, .id = "r1", .dataset = "hosts"},
           Place{.kind = PlaceKind::kRunRecord, .id = "r1", .dataset = kSmallRuns},
           Place{.kind = PlaceKind::kDatasetFile, .id = "s-1", .dataset = "content", .name = "p1.orc"},
           Place{.kind = PlaceKind::kDatasetRecord, .id = "s-1", .dataset = "content"},
           Place{.kind = PlaceKind::kListsRecord, .id = "s-1", .job = "20260101T000000Z-generate-1"},
           Place{.kind = PlaceKind::kAttempt, .number = 12, .id = "s-1", .task = 4},
           Place{.kind = PlaceKind::kPlan, .id = "20260101T000000Z-inject-1"},
           Place{.kind = PlaceKind::kReport, .id = "20260101T000000Z-inject-1"},
           Place{.kind = PlaceKind::kRound, .id = "20260101T000000Z-updatedb-1"},
           Place{.kind = PlaceKind::kJobEnd, .id = "20260101T000000Z-inject-1"},
           Place{.kind = PlaceKind::kJobLive, .number = 7, .id = "20260101T000000Z-fetch-1"},
           Place{.kind = PlaceKind::kJobInput, .number = 2, .id = "j"},
           Place{.kind = PlaceKind::kJobFailure, .id = "j", .name = "m3-1000"},
           Place{.kind = PlaceKind::kStreaming, .id = "j", .name = "out/part-00000"},
       }) {
    const auto parsed = ParsePath(PathOf(place));
    ASSERT_TRUE(parsed.has_value()) << PathOf(place);
    EXPECT_EQ(*parsed, place) << PathOf(place);
  }
}

TEST(Layout, OtherPathsAreNotOurs) {
  for (const char* path : {"", "snapshots", "snapshots/42.json", "snapshots/000000042.json", "snapshots/-0000001.json",
                           "snapshots/x.json", "snapshots/00000042.json.tmp", "snapshots/00000042.json/x",
                           "jobs/j/other.json", "jobs/j/_input-", "jobs/j/_input-01", "jobs/j/_live-01.json",
                           "jobs/j/_live-1", "segments/s/_attempts/x/1.json", "segments/s/_attempts/1/01.json",
                           "crawldb/urls", "crawldb/urls/_r/x.orc", "README", "snapshots/99999999999999999999.json"}) {
    EXPECT_FALSE(ParsePath(path).has_value()) << path;
  }
}

}  // namespace
}  // namespace trawl
