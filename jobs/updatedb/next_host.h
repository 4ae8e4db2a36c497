// What a round makes of a host's row, and of the row of a robots.txt. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>

#include "formats/rows/host_row.h"
#include "formats/rows/robots_row.h"

namespace trawl {

// What a round brought of one host, beside what its fetching observed.
struct HostTally {
  int64_t discovered = 0;     // URLs of it that are new
  int64_t linking_hosts = 0;  // other hosts with an inlink to it
};

// Whether `a` tells more of the host than `b`, of two observations in one segment.
bool IsNewerObservation(const HostRow& a, const HostRow& b);

// The host's row from now on. `known` is the table's row, null where it has none; `observed` is null where the segment
// asked the host nothing.
HostRow NextHost(const HostRow* known, const HostRow* observed, const HostTally& tally, int64_t now_ms);

// A host is a suspected trap while it shows far more URLs than pages that were fetched of it.
inline constexpr int64_t kTrapFetched = 100;
inline constexpr int64_t kTrapRatio = 500;
inline constexpr int64_t kTrapOverRatio = 250;

// Whether `a` was fetched later than `b`.
bool IsNewerRobots(const RobotsRow& a, const RobotsRow& b);

// The row of a robots.txt from now on; `known` as above. Nothing where it stays as it is.
std::optional<RobotsRow> NextRobots(const RobotsRow* known, const RobotsRow& observed);

}  // namespace trawl
