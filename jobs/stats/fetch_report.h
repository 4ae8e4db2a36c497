// The numbers of a fetch for its report and its summary. Any thread.
#pragma once

#include <string>

#include "formats/documents/json.h"
#include "formats/documents/step_record.h"
#include "jobs/stats/fetch_stats.h"

namespace trawl {

// {"fetch": the members of FetchStats, "used": what its processes took of their machines (used.h)}.
Json FetchDetails(const FetchStats& stats, const StepRecord& fetched);

// Adds the details to a verb's answer, which keeps the members that it has.
void AddFetchDetails(const Json& details, Json* summary);

// Some lines for people.
std::string ReadableFetch(const Json& details);

}  // namespace trawl
