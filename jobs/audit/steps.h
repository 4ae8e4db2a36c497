// Members of a round's document that sum up what the tasks of its steps have reported, or say who ran it.
#pragma once

#include <cstdint>
#include <string>

#include "formats/documents/json.h"
#include "formats/documents/step_record.h"
#include "runtime/job/plan.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

// When a step began, the snapshot that it read, how long it took, and its runner; null where its driver was killed before
// it could say so. `report` is the job's, or null.
Json StepJson(const std::string& job, int64_t base, TimeMs began_ms, const Json& report);

// The report that updatedb will have, as far as StepJson reads it.
Json OwnReport(const Plan& plan, int64_t updatedb_ms);

// The lists, the longest first: {"list", "urls", "hosts", "ran_ms"}.
Json ListsJson(const StepRecord& lists, const StepRecord& fetched);

// How long hosts were left alone, beside the delay that was asked for (jobs/audit/audit.h); null where an older version
// fetched.
Json PolitenessJson(const StepRecord& fetched);

// The pages of each language, by its code; "und" where it is not known. Null where an older version parsed.
Json LanguagesJson(const StepRecord& parsed);

// {"machine", "version"} of the driver that applied the round. Reads the machine's name.
Json RanByJson(const Plan& plan);

// The bytes that are left on the local disk of the crawl; null on other stores.
Json FreeBytesJson(const Store& store);

}  // namespace trawl
