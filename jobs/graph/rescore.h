// What a new graph means for the scores of pages: trawl graph, and a round that makes the graph, give every page the score
// that it would have if it was written now. So it does not matter when a page was fetched, or its links were found.
#pragma once

#include "runtime/job/job.h"

namespace trawl {

// Its counter is "rescored"; it publishes nothing where no score changes. It reads no bodies and sends no request.
JobRequest RescoreRequest(int threads);

}  // namespace trawl
