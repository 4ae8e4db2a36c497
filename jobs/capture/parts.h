// How the captures of an archive are cut into parts, and which rows a part has. Pure but for ReadArchiveParts; any thread.
//
// A part is consecutive parts of one segment's fetch, together about as large as a WARC file, whatever the number of
// threads, partitions and machines. Its number is part of the names of its files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/archive_begin.h"
#include "formats/documents/json.h"
#include "formats/documents/step_record.h"
#include "runtime/store/store.h"

namespace trawl {

struct ArchivePartPlan {
  int number = 0;
  size_t segment = 0;  // among the segments of the beginning
  // Files of the segment's datasets fetch and robots: [begin, end).
  size_t fetch_begin = 0, fetch_end = 0;
  size_t robots_begin = 0, robots_end = 0;
  bool operator==(const ArchivePartPlan&) const = default;
};

Json ToJson(const ArchivePartPlan& part);
arrow::Result<ArchivePartPlan> ArchivePartPlanFromJson(const Json& json);

// Appends the parts of a segment, with the next numbers.
void CutIntoParts(const StepRecord& fetched, size_t segment, int64_t part_bytes, std::vector<ArchivePartPlan>* parts);

// The parts of all segments. An error names the segment whose record is gone.
arrow::Result<std::vector<ArchivePartPlan>> ReadArchiveParts(Store* store, const ArchiveBegin& begin,
                                                             int64_t part_bytes);

}  // namespace trawl
