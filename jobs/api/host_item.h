// A host as the API shows it: in lists, and in all its facts. Any thread.
#pragma once

#include <optional>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/rows/host_row.h"
#include "jobs/api/endpoint.h"
#include "jobs/views/host_holds.h"

namespace trawl {

// The names that dashboards know, the hold by what the row tells, and what HostJson has.
Json HostItem(const HostRow& row, TimeMs now_ms);
// A hold beside the row is told where it lasts longer.
Json HostItem(const HostRow& row, const std::optional<HostHold>& hold, TimeMs now_ms);
// The kinds of holds by which hosts are listed, and whether the row has it.
inline constexpr const char* kHostHoldKinds[] = {"blocked", "breaker_open", "throttled", "slow", "suspected_trap"};
// The kinds of HostHold.
inline constexpr const char* kMoreHoldKinds[] = {"dead_host", "robots_deferred", "day_is_full", "host_is_full"};
bool HasHold(const HostRow& row, const std::string& kind, TimeMs now_ms);

// For the document of the API: a host in a list, and one in all its facts, made by the same functions.
Json HostItemExample();
Json WholeHostExample();

// A host, or a registrable domain with its hosts. 404 where the crawl knows neither.
arrow::Result<Json> WholeHost(const ApiCall& call, const std::string& name);

}  // namespace trawl
