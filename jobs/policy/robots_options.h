// How long a robots.txt is kept, and what counts while it cannot be reached.
#pragma once

#include <cstdint>

#include "formats/rows/times.h"
#include "runtime/options/options.h"

namespace trawl {

enum class OnUnreachableRobots : int8_t { kDefer = 1, kAllow = 2 };

struct RobotsOptions {
  int64_t ttl_ms = kDayMs;
  int64_t keep_ms = 30 * kDayMs;
  OnUnreachableRobots on_unreachable = OnUnreachableRobots::kDefer;
};
const OptionGroup<RobotsOptions>& RobotsOptionGroup();

}  // namespace trawl
