// What a row of the robots table means for its origin now. Pure; any thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/rows/robots_row.h"
#include "jobs/policy/robots_options.h"

namespace trawl {

// Whether the rules that were had last count: they are those of the last request, or of a good copy that is young
// enough to stand in for it.
bool RulesServe(const RobotsRow& row, int64_t keep_ms, int64_t now_ms);

// Why the last request for it gave no rules: "robots.txt: status 403"; empty where it gave some.
std::string_view WhyOfRobots(const RobotsRow& row);

// Until when the pages of that origin wait for its robots.txt, which could not be had; 0: they do not.
int64_t DeferredUntil(const RobotsRow& row, const RobotsOptions& options, int64_t now_ms);

}  // namespace trawl
