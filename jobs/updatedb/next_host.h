// The row of a host, and of a robots.txt, after a round. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "formats/rows/host_row.h"
#include "formats/rows/robots_row.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/refresh/refresh.h"
#include "jobs/updatedb/url_event.h"

namespace trawl {

// The answer to a path that cannot exist.
struct ProbeAnswer {
  int64_t asked_ms = 0;        // 0: it was not asked for in this round
  std::string content_digest;  // of a page of status 200; else empty, and no fingerprint
  int64_t simhash = 0;

  bool operator==(const ProbeAnswer&) const = default;
};

// A round's news of one host, beside what fetch observed.
struct HostTally {
  int64_t discovered = 0;     // new URLs of the host
  int64_t left_out = 0;       // URLs that would be new, but for the limit of a suspected trap
  int64_t linking_hosts = 0;  // other hosts with an inlink to it
  // What its sitemaps stated, and how much of that was wrong.
  int64_t lastmods_checked = 0;
  int64_t lastmods_wrong = 0;
  int64_t priorities_stated = 0;
  int64_t priorities_top = 0;
  int64_t guessed_ms = 0;  // when /sitemap.xml, which nothing names, entered; 0: not in this round
  ProbeAnswer probe;

  bool operator==(const HostTally&) const = default;
};

// Whether `a`, of two observations of a host in one segment, is the newer one.
bool IsNewerObservation(const HostRow& a, const HostRow& b);

// The host's row from now on. `known` is the table's row, null where it has none; `observed` is null where the segment
// asked the host nothing.
HostRow NextHost(const HostRow* known, const HostRow* observed, const HostTally& tally, const FetchOptions& options,
                 int64_t now_ms);

// A host is a suspected trap while far more URLs of it are known than pages were fetched.
inline constexpr int64_t kTrapFetched = 100;
inline constexpr int64_t kTrapRatio = 500;
inline constexpr int64_t kTrapOverRatio = 250;

// Whether `a` was fetched later than `b`.
bool IsNewerRobots(const RobotsRow& a, const RobotsRow& b);

// The robots.txt row from now on; `known` is null where the table has no row. Nothing where the row stays as it is.
// `round_ms`: when the round began.
std::optional<RobotsRow> NextRobots(const RobotsRow* known, const RobotsRow& observed, const RefreshOptions& refresh,
                                    int64_t round_ms);

// What that means for all URLs of the origin. `next` is the result of NextRobots.
OriginFate FateOf(const RobotsRow* known, const RobotsRow& next, const RefreshOptions& refresh);

}  // namespace trawl
