// Names the rule of NextState (jobs/updatedb/next_state.h) that made a URL's row what it is. Pure; any thread.
#pragma once

#include <string>

#include "formats/rows/fetch_row.h"
#include "formats/rows/url_row.h"
#include "jobs/refresh/refresh.h"
#include "jobs/updatedb/url_event.h"

namespace trawl {

// The event that made the row. `last` is the URL's last outcome in a segment that was applied, which may have left the
// row as it was; null where no outcome is stored.
UrlEvent LastEventOf(const UrlRow& row, const FetchRow* last);

// "404 not found (rule 11): asked again after 1 d (--refresh.retry_interval), …"; empty for kNone.
std::string RuleText(UrlEvent event, const UrlRow& row, const RefreshOptions& refresh);

}  // namespace trawl
