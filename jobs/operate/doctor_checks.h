// What a task needs of the machine it runs on, found out there: each check says what it found and, where that is not
// enough, what to do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "runtime/job/plan.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

struct DoctorFinding {
  std::string check;  // "store"
  bool is_well = true;
  std::string found;
  std::string fix = {};  // where it is not well
};
Json ToJson(const DoctorFinding& finding);
arrow::Result<DoctorFinding> DoctorFindingFromJson(const Json& json);

// A name is created there once: `path` must not exist, and does not afterwards.
DoctorFinding CheckStoreCreates(Store* store, const std::string& path);
// Against the time at which the driver made the plan, and what may have passed since then.
DoctorFinding CheckClock(TimeMs here_ms, TimeMs planned_ms, TimeMs latest_ms);
// Whether there is as much as the task may use.
DoctorFinding CheckMemory(int64_t wanted_bytes);
DoctorFinding CheckTempFolder(const std::string& folder);
// A name looked up, a connection made, an answer read. An empty URL is not asked.
DoctorFinding CheckEgress(const std::string& url);
// That it runs at all, and as what.
DoctorFinding CheckProgram();

}  // namespace trawl
