// Checks the machine that a task runs on. Each check tells its finding and, where that is not enough, what to do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "runtime/job/plan.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"
#include "runtime/streaming/options.h"

namespace trawl {

struct DoctorFinding {
  std::string check;  // "store"
  bool is_well = true;
  std::string found;
  std::string fix = {};  // where it is not well
};
Json ToJson(const DoctorFinding& finding);
arrow::Result<DoctorFinding> DoctorFindingFromJson(const Json& json);

// Creates `path` once. It must not exist before, and does not exist afterwards.
DoctorFinding CheckStoreCreates(Store* store, const std::string& path);
// Compares the clock with the time at which the plan was made and the time that may have passed since then.
DoctorFinding CheckClock(TimeMs here_ms, TimeMs planned_ms, TimeMs latest_ms);
// Whether there is as much as the task may use.
DoctorFinding CheckMemory(int64_t wanted_bytes);
DoctorFinding CheckTempFolder(const std::string& folder);
// Looks a name up, connects and reads an answer. An empty URL is not asked for.
DoctorFinding CheckEgress(const std::string& url);
// Whether YARN answers, how many tasks it runs at once, and whether this machine can submit to it.
DoctorFinding CheckCluster(const StreamingOptions& options);
// That it runs at all, and as what.
DoctorFinding CheckProgram();

}  // namespace trawl
