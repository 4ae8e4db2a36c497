#include "jobs/segment_choice.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "runtime/layout.h"
#include "runtime/segment_data.h"
#include "runtime/status_detail.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Oldest first: the expired ones were opened before.
std::vector<OpenSegment> Unapplied(const Manifest& manifest) {
  std::vector<OpenSegment> segments;
  for (const ClosedSegment& closed : manifest.closed_segments) {
    if (closed.how == "expired") segments.push_back({.id = closed.id, .job = closed.job, .lists = closed.lists});
  }
  const auto open = static_cast<std::ptrdiff_t>(segments.size());
  segments.insert(segments.end(), manifest.open_segments.begin(), manifest.open_segments.end());
  std::stable_sort(segments.begin() + open, segments.end(),
                   [](const OpenSegment& a, const OpenSegment& b) { return a.opened_ms < b.opened_ms; });
  return segments;
}

Status NoSuchSegment(const Manifest& manifest, const std::string& named) {
  for (const ClosedSegment& closed : manifest.closed_segments) {
    if (closed.id == named) {
      return Status::Invalid("segment ", named, " was ", closed.how, " by snapshot ", closed.snapshot);
    }
  }
  return UsageError("--segment ", named, ": no such segment; trawl segments list shows those that there are");
}

Result<bool> IsDone(Store* store, const std::string& segment, const std::string& step) {
  if (step.empty()) return true;
  return store->Exists(DatasetRecordPath(segment, step));
}

}  // namespace

Result<SegmentChoice> ChooseSegment(Store* store, const Manifest& manifest, const std::string& named,
                                    const std::string& needs, const std::string& step) {
  bool is_known = false;
  for (const OpenSegment& segment : Unapplied(manifest)) {
    if (!named.empty() && segment.id != named) continue;
    is_known = true;
    ARROW_ASSIGN_OR_RAISE(const bool is_done, IsDone(store, segment.id, step));
    if (is_done && !named.empty()) return SegmentChoice{segment, true};
    if (is_done) continue;
    ARROW_ASSIGN_OR_RAISE(const bool is_ready, IsDone(store, segment.id, needs));
    if (is_ready) return SegmentChoice{segment, false};
    if (!named.empty()) return Status::Invalid("segment ", named, ": its ", needs, " is not done yet");
  }
  if (named.empty() || is_known) return SegmentChoice{};
  // A step of a segment that was applied since has been done.
  ARROW_ASSIGN_OR_RAISE(const bool was_done, IsDone(store, named, step));
  for (const ClosedSegment& closed : manifest.closed_segments) {
    if (closed.id == named && closed.how == "applied" && was_done) return SegmentChoice{{.id = named}, true};
  }
  return NoSuchSegment(manifest, named);
}

}  // namespace trawl
