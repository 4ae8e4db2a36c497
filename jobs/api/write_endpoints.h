// The endpoints that change the crawl: they check what is asked, hand it to the writer thread (jobs/writes) and wait for it.
#pragma once

#include <vector>

#include "jobs/api/endpoint.h"

namespace trawl {

// POST /seeds and its like, policies of hosts, blocks of domains, dropped URLs, jobs that are ended.
std::vector<Endpoint> WriteEndpoints();

}  // namespace trawl
