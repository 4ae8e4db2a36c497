// A path that cannot exist, by whose answer a host shows what its error pages look like (UrlKind::kProbe): some hosts give
// them the status 200. Pure; any thread.
//
// generate puts the URL on a list by itself, after the other URLs of the host; robots.txt, delays and limits hold for it as
// for any other. updatedb notes the answer in the host's row. Nothing else of it stays, and no report counts it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "formats/digests/digest.h"
#include "formats/rows/times.h"

namespace trawl {

inline constexpr int64_t kProbeIntervalMs = 30 * kDayMs;

// The key of that URL at an origin ("com,example)"): always the same.
inline std::string ProbeKeyOf(const std::string& origin) {
  char path[33];
  std::snprintf(path, sizeof path, "%016llx%016llx",
                static_cast<unsigned long long>(Hash64("no such page at " + origin)),
                static_cast<unsigned long long>(Hash64("nor this at " + origin)));
  return origin + "/" + path;
}

}  // namespace trawl
