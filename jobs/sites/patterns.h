// A door of jobs/sites, what is said about a host as a whole: what trawl host --patterns prints, the patterns of a host, what their pages yielded, and their budgets.
#pragma once

#include <string>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "runtime/store/store.h"

namespace trawl {

// {"host", "patterns": [an object per pattern, most fetched first], "learned": [{"pattern", "parameter", "pairs",
// "taken_back"}, of parameters that change nothing]}. `host_key` is the host part of a key.
//
// "fetched" and the counts after it are pages that still count (jobs/yields/yield.h), "fetched_ever" all; "budget": pages per
// round, or null where there is no limit.
arrow::Result<Json> HostPatternsJson(Store* store, const Manifest& snapshot, const std::string& host_key);

std::string HostPatternsText(const Json& patterns);

}  // namespace trawl
