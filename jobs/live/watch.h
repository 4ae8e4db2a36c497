// What runs now, as lines for people. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "jobs/live/live.h"

namespace trawl {

// At most `most_workers` of them, those that are at work first.
std::vector<std::string> WatchLines(const LiveCrawl& live, size_t most_workers);

}  // namespace trawl
