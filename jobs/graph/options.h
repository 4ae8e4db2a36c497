// How the graph of hosts is ranked, and when a round does it again. Pure; any thread.
#pragma once

#include <cstdint>

#include "runtime/options/options.h"

namespace trawl {

struct GraphOptions {
  double damping = 0.85;
  int32_t registers = 128;
  int32_t every = 10;
  double share = 0.2;
  int64_t least_hosts = 1000;
};
const OptionGroup<GraphOptions>& GraphOptionGroup();

}  // namespace trawl
