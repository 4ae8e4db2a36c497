// A segment's life in a manifest: what may follow what, and what the lists are then.
#include "jobs/segment/life.h"

#include <gtest/gtest.h>

#include "runtime/process/status_detail.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

// Segments "open", "applied", "abandoned" and "expired"; the snapshot to come is number 9.
Manifest FourSegments() {
  Manifest manifest;
  manifest.number = 9;
  manifest.closed_segments = {{"applied", SegmentEnd::kApplied, "j1", "l1", 1},
                              {"expired", SegmentEnd::kExpired, "j2", "l2", 2},
                              {"abandoned", SegmentEnd::kAbandoned, "j3", "l3", 3}};
  AddOpenSegment({.id = "open", .opened_ms = 5, .until_ms = 10, .job = "j4", .lists = "l4"}, &manifest);
  return manifest;
}

TEST(SegmentLife, EverySegmentIsFoundOpenOnesLast) {
  const Manifest manifest = FourSegments();
  std::string ids;
  for (const Segment& segment : SegmentsOf(manifest)) ids += segment.id + " ";
  EXPECT_EQ(ids, "applied expired abandoned open ");
  EXPECT_EQ(FindSegment(manifest, "other"), std::nullopt);
  const Segment open = *FindSegment(manifest, "open");
  EXPECT_TRUE(open.is_open());
  EXPECT_EQ(open.job, "j4");
  EXPECT_EQ(open.lists, "l4");
  EXPECT_EQ(open.until_ms, 10);
  const Segment expired = *FindSegment(manifest, "expired");
  EXPECT_TRUE(expired.has_ended(SegmentEnd::kExpired));
  EXPECT_FALSE(expired.is_open());
}

TEST(SegmentLife, ExpiresWhenItsTimeIsOver) {
  Manifest manifest = FourSegments();
  ExpireSegments(9, &manifest);
  EXPECT_EQ(manifest, FourSegments());
  ExpireSegments(10, &manifest);
  EXPECT_TRUE(manifest.open_segments.empty());
  const ClosedSegment expired = {"open", SegmentEnd::kExpired, "j4", "l4", 9};
  EXPECT_EQ(manifest.closed_segments.back(), expired);
}

TEST(SegmentLife, AnOpenOrExpiredOneIsAppliedOnce) {
  Manifest manifest = FourSegments();
  ASSERT_OK_AND_ASSIGN(const bool open, ApplySegment("open", &manifest));
  ASSERT_OK_AND_ASSIGN(const bool expired, ApplySegment("expired", &manifest));
  EXPECT_TRUE(open && expired);
  EXPECT_TRUE(manifest.open_segments.empty());
  const std::vector<ClosedSegment> closed = {{"applied", SegmentEnd::kApplied, "j1", "l1", 1},
                                             {"abandoned", SegmentEnd::kAbandoned, "j3", "l3", 3},
                                             {"open", SegmentEnd::kApplied, "j4", "l4", 9},
                                             {"expired", SegmentEnd::kApplied, "j2", "l2", 9}};
  EXPECT_EQ(manifest.closed_segments, closed);
  ASSERT_OK_AND_ASSIGN(const bool again, ApplySegment("open", &manifest));
  EXPECT_FALSE(again);
  EXPECT_EQ(manifest.closed_segments, closed);
  EXPECT_EQ(KindOf(ApplySegment("abandoned", &manifest).status()), StatusKind::kConflict);
  EXPECT_EQ(KindOf(ApplySegment("other", &manifest).status()), StatusKind::kConflict);
}

TEST(SegmentLife, AnOpenOrExpiredOneIsAbandonedOnce) {
  Manifest manifest = FourSegments();
  ASSERT_OK_AND_ASSIGN(const bool open, AbandonSegment("open", &manifest));
  ASSERT_OK_AND_ASSIGN(const bool expired, AbandonSegment("expired", &manifest));
  EXPECT_TRUE(open && expired);
  EXPECT_TRUE(manifest.open_segments.empty());
  const std::vector<ClosedSegment> closed = {{"applied", SegmentEnd::kApplied, "j1", "l1", 1},
                                             {"expired", SegmentEnd::kAbandoned, "j2", "l2", 9},
                                             {"abandoned", SegmentEnd::kAbandoned, "j3", "l3", 3},
                                             {"open", SegmentEnd::kAbandoned, "j4", "l4", 9}};
  EXPECT_EQ(manifest.closed_segments, closed);
  ASSERT_OK_AND_ASSIGN(const bool again, AbandonSegment("abandoned", &manifest));
  EXPECT_FALSE(again);
  EXPECT_EQ(KindOf(AbandonSegment("applied", &manifest).status()), StatusKind::kUsage);
  EXPECT_EQ(KindOf(AbandonSegment("other", &manifest).status()), StatusKind::kUsage);
}

TEST(SegmentLife, TheManifestStoresTheEndAsAWord) {
  const Manifest manifest = FourSegments();
  Json json = ToJson(manifest);
  EXPECT_EQ(json["closed_segments"][0]["how"], "applied");
  EXPECT_EQ(json["closed_segments"][1]["how"], "expired");
  EXPECT_EQ(json["closed_segments"][2]["how"], "abandoned");
  ASSERT_OK_AND_ASSIGN(const Manifest read, ManifestFromJson(json));
  EXPECT_EQ(read, manifest);
  json["closed_segments"][0]["how"] = "eaten";
  EXPECT_FALSE(ManifestFromJson(json).ok());
}

}  // namespace
}  // namespace trawl
