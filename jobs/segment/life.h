// The life of a segment, as manifests tell it: generate opens it, and it ends applied, abandoned or expired. Pure; any
// thread.
//
// An expired segment holds no domains any more, but may still be applied or abandoned.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "runtime/process/clock.h"

namespace trawl {

// A segment that a manifest names, open or over.
struct Segment {
  std::string id;
  std::string job;                // generate's
  std::string lists;              // seal of the record of its lists
  std::optional<SegmentEnd> end;  // nothing while it is open
  bool is_store = false;          // trawl compact --bodies made it, of stored bodies: it has content and no round
  TimeMs until_ms = 0;            // while it is open: when it expires

  bool is_open() const { return !end; }
  // Whether trawl reparse or trawl compact made it, of stored bodies: it has no lists and asked for nothing.
  bool is_reading() const { return lists.empty(); }
  bool has_ended(SegmentEnd as) const { return end == as; }
};

// Those that are over in the order in which they ended, then the open ones in the order in which they were opened.
std::vector<Segment> SegmentsOf(const Manifest& manifest);
// Nothing where the manifest does not name it.
std::optional<Segment> FindSegment(const Manifest& manifest, const std::string& id);

// Whether trawl compact --bodies made it: nothing of a round is known of it.
inline bool IsStoreOfBodies(const ClosedSegment& segment) { return segment.lists.empty() && segment.round.empty(); }

// The six changes. They write into the next manifest, whose number says when the segment ended.

// REQUIRES: FindSegment has nothing of that id.
void AddOpenSegment(OpenSegment segment, Manifest* next);
// A segment of trawl reparse is never open: it is named once it is applied. REQUIRES: as above.
void AddReading(ClosedSegment segment, Manifest* next);
// Names a store of bodies, which is never open either; `job` made it. REQUIRES: as above.
void AddStoreOfBodies(const std::string& id, const std::string& job, Manifest* next);
// Ends all open segments whose time is over.
void ExpireSegments(TimeMs now_ms, Manifest* next);
// Ends an open or expired segment as applied. False where it is applied already; a conflict where it was abandoned
// meanwhile or is not known any more.
arrow::Result<bool> ApplySegment(const std::string& id, Manifest* next);
// Ends an open or expired segment as abandoned. False where it is abandoned already; UsageError where it is applied or
// not known.
arrow::Result<bool> AbandonSegment(const std::string& id, Manifest* next);

}  // namespace trawl
