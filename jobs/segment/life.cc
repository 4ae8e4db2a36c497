#include "jobs/segment/life.h"

#include <algorithm>
#include <utility>

#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Result;

namespace {

// Moves the segment to the end of those that are over.
void Close(const Segment& segment, SegmentEnd end, Manifest* next) {
  std::erase_if(next->open_segments, [&segment](const OpenSegment& open) { return open.id == segment.id; });
  std::erase_if(next->closed_segments, [&segment](const ClosedSegment& closed) { return closed.id == segment.id; });
  next->closed_segments.push_back(
      {.id = segment.id, .end = end, .job = segment.job, .lists = segment.lists, .snapshot = next->number});
}

}  // namespace

std::vector<Segment> SegmentsOf(const Manifest& manifest) {
  std::vector<Segment> all;
  for (const ClosedSegment& closed : manifest.closed_segments) {
    all.push_back({.id = closed.id,
                   .job = closed.job,
                   .lists = closed.lists,
                   .end = closed.end,
                   .is_store = IsStoreOfBodies(closed)});
  }
  for (const OpenSegment& open : manifest.open_segments) {
    all.push_back({.id = open.id, .job = open.job, .lists = open.lists, .end = {}, .until_ms = open.until_ms});
  }
  return all;
}

std::optional<Segment> FindSegment(const Manifest& manifest, const std::string& id) {
  for (Segment& segment : SegmentsOf(manifest)) {
    if (segment.id == id) return std::move(segment);
  }
  return std::nullopt;
}

void AddOpenSegment(OpenSegment segment, Manifest* next) { next->open_segments.push_back(std::move(segment)); }

void AddReading(ClosedSegment segment, Manifest* next) { next->closed_segments.push_back(std::move(segment)); }

void AddStoreOfBodies(const std::string& id, const std::string& job, Manifest* next) {
  next->closed_segments.push_back(
      {.id = id, .end = SegmentEnd::kApplied, .job = job, .lists = "", .snapshot = next->number});
}

void ExpireSegments(TimeMs now_ms, Manifest* next) {
  for (const Segment& segment : SegmentsOf(*next)) {
    if (segment.is_open() && segment.until_ms <= now_ms) Close(segment, SegmentEnd::kExpired, next);
  }
}

Result<bool> ApplySegment(const std::string& id, Manifest* next) {
  const std::optional<Segment> segment = FindSegment(*next, id);
  if (!segment) return ConflictError("segment ", id, " is not known any more");
  if (segment->has_ended(SegmentEnd::kApplied)) return false;
  if (segment->has_ended(SegmentEnd::kAbandoned)) {
    return ConflictError("segment ", id, " was abandoned while it was applied");
  }
  Close(*segment, SegmentEnd::kApplied, next);
  return true;
}

Result<bool> AbandonSegment(const std::string& id, Manifest* next) {
  const std::optional<Segment> segment = FindSegment(*next, id);
  if (!segment) return UsageError("there is no segment '", id, "'; trawl segments list shows the segments");
  if (segment->has_ended(SegmentEnd::kApplied)) {
    return UsageError("segment ", id, " is applied already, so it cannot be abandoned");
  }
  if (segment->has_ended(SegmentEnd::kAbandoned)) return false;
  if (segment->is_open()) {
    Close(*segment, SegmentEnd::kAbandoned, next);
    return true;
  }
  // An expired one keeps its place among those that are over.
  for (ClosedSegment& closed : next->closed_segments) {
    if (closed.id != id) continue;
    closed.end = SegmentEnd::kAbandoned;
    closed.snapshot = next->number;
  }
  return true;
}

}  // namespace trawl
