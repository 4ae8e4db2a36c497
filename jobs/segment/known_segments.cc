#include "jobs/segment/known_segments.h"

#include <utility>

#include "jobs/segment/life.h"
#include "runtime/root/layout.h"
#include "runtime/root/segment_data.h"

namespace trawl {

using arrow::Result;

namespace {

Result<SegmentStep> LastStep(Store* store, const Segment& segment) {
  if (segment.has_ended(SegmentEnd::kApplied)) return SegmentStep::kUpdatedb;
  for (const SegmentStep step : {SegmentStep::kParse, SegmentStep::kFetch}) {
    ARROW_ASSIGN_OR_RAISE(const bool there, store->Exists(DatasetRecordPath(segment.id, RecordOf(step))));
    if (there) return step;
  }
  return SegmentStep::kGenerate;
}

std::string StateOf(const Segment& segment, SegmentStep step, TimeMs now_ms) {
  if (segment.end) return TextOf(*segment.end);
  if (segment.until_ms <= now_ms) return TextOf(SegmentEnd::kExpired);
  return step == SegmentStep::kGenerate ? "open" : DoneWord(step);
}

}  // namespace

Result<std::vector<KnownSegment>> ReadSegments(Store* store, const Manifest& manifest, TimeMs now_ms, int64_t limit) {
  std::vector<Segment> segments = SegmentsOf(manifest);
  if (limit > 0 && segments.size() > static_cast<size_t>(limit))
    segments.erase(segments.begin(), segments.end() - static_cast<std::ptrdiff_t>(limit));
  std::vector<KnownSegment> all;
  for (Segment& segment : segments) {
    ARROW_ASSIGN_OR_RAISE(const SegmentStep step, LastStep(store, segment));
    all.push_back({.id = std::move(segment.id),
                   .state = StateOf(segment, step, now_ms),
                   .step = step,
                   .job = std::move(segment.job),
                   .lists = std::move(segment.lists),
                   .until_ms = segment.until_ms,
                   .is_store = segment.is_store});
  }
  return all;
}

Result<std::optional<StepRecord>> ReadListsIfThere(Store* store, const KnownSegment& segment) {
  if (segment.is_reading()) return std::nullopt;
  ARROW_ASSIGN_OR_RAISE(const bool there, store->Exists(ListsRecordPath(segment.id, segment.job)));
  if (!there) return std::nullopt;
  ARROW_ASSIGN_OR_RAISE(StepRecord record, ReadLists(store, segment.id, segment.job, segment.lists));
  return record;
}

}  // namespace trawl
