// The job of trawl host: applies changes to rows of hosts, as one job and one snapshot.
#pragma once

#include <vector>

#include "jobs/operate/host_policy.h"
#include "runtime/job/job.h"

namespace trawl {

// Counters of the job: matched, and of these rows_changed (hosts and domains). Later changes of one host come after earlier ones.
JobRequest HostRequest(std::vector<HostPolicy> changes);

}  // namespace trawl
