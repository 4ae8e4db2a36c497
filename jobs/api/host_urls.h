// What the crawl knows of a host's URLs: how many are in each state, and which lines of robots.txt keep some away.
#pragma once

#include <string>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "jobs/api/endpoint.h"

namespace trawl {

// {"states": {"fetched": 3, …}, "denied_by": [{"text": "line 2: Disallow: /private/", "line": 2, "count": 7}, …],
// "states_are_cut": whether the host has more URLs than one answer looks at}
arrow::Result<Json> HostUrlsJson(const ApiCall& call, const std::string& host_part);

}  // namespace trawl
