// Map tasks by ranges of slots: the parts of a plan whose tasks each read one range of a table.
#pragma once

#include <cstdint>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/url/slot_range.h"

namespace trawl {

// Cuts the slots into ranges for the map tasks of a job that reads `rows` rows, and returns them as parts of its plan.
std::vector<Json> SlotParts(int64_t rows, int threads);
std::vector<Json> EvenSlotParts(int parts);

// "slots": [begin, end) of a part.
Json SlotsToJson(const SlotRange& slots);
arrow::Result<SlotRange> SlotsOfPart(const Json& part);

}  // namespace trawl
