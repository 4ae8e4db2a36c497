// The numbers of a fetch for its report and its summary. Any thread.
#pragma once

#include <string>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/step_record.h"
#include "runtime/store/store.h"

namespace trawl {

// {"fetch": the members of FetchStats, "used": what its processes took of their machines (used.h)}. Reads the fetch rows
// once.
arrow::Result<Json> FetchDetails(Store* store, const StepRecord& fetched);

// Adds the details to a verb's answer, which keeps the members that it has.
void AddFetchDetails(const Json& details, Json* summary);

// Some lines for people.
std::string ReadableFetch(const Json& details);

}  // namespace trawl
