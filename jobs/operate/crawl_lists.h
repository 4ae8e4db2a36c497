// The rows of trawl segments list and trawl snapshot list, for others that list the same. Pure; any thread.
#pragma once

#include <optional>

#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "formats/documents/step_record.h"
#include "jobs/segment/known_segments.h"

namespace trawl {

// `lists` is the record of its fetch lists, where gc has not removed it.
Json SegmentJson(const KnownSegment& segment, const std::optional<StepRecord>& lists);
Json SnapshotJson(const Manifest& manifest);

}  // namespace trawl
