// What trawl host --robots prints: the robots.txt of each origin of a host as it is stored, what became of the requests
// for it, and the host's breaker.
#pragma once

#include <string>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "formats/rows/host_row.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

// {"host", "robots": [an object per origin], "breaker": {…}}. No origin where nothing was asked there yet.
arrow::Result<Json> HostRobotsJson(Store* store, const Manifest& snapshot, const HostRow& host, TimeMs now_ms);

std::string HostRobotsText(const Json& robots);

}  // namespace trawl
