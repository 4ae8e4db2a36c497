// What other refresh settings mean for the pages that are known: trawl config set of refresh.* applies them at once.
#pragma once

#include "formats/rows/url_row.h"
#include "jobs/refresh/refresh.h"
#include "runtime/job/job.h"

namespace trawl {

// Puts the interval of a page within the bounds that its class and the options give, and moves its due time with it;
// false where both stay. The rules are numbered at the definition. Pure.
bool PutWithinBounds(const RefreshOptions& options, const RefreshClass& refresh_class, UrlRow* row);

// A job that does so for every row of urls; its counter is "rescheduled". It reads no bodies and sends no request.
JobRequest RescheduleRequest();

}  // namespace trawl
