// How many pages a host, or a registrable domain, may still be asked for: on its day, and in all. What counts is every
// request for a page, also a redirect's target and a retry, and no robots.txt. Pure; any thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include "formats/rows/host_row.h"
#include "formats/rows/times.h"

namespace trawl {

// A suspected trap has as many pages a day, and at most so many new URLs of it enter on a day: enough to show by what they
// hold that it is none.
inline constexpr int64_t kTrapPagesADay = 100;
inline constexpr int64_t kTrapUrlsADay = 1000;
// Whether the host is held to that.
inline bool IsTrap(const HostRow& host) { return host.suspected_trap && !host.trap_cleared; }

// 0: no limit.
struct PageLimits {
  int64_t a_day = 0;
  int64_t in_all = 0;
};

inline constexpr int64_t kNoLimit = INT64_MAX;

struct PagesLeft {
  int64_t today = kNoLimit;
  int64_t in_all = kNoLimit;
  int64_t Least() const { return std::min(today, in_all); }
};

// The limits that hold for it: the operator's number for this one, where there is one, else that of all. For a trap no more
// than its own a day.
PageLimits LimitsOf(const HostRow& host, const PageLimits& of_all);
PageLimits LimitsOf(const DomainRecord& domain, const PageLimits& of_all);

// What these limits leave of it.
PagesLeft PagesLeftOf(const HostRow& host, const PageLimits& limits, TimeMs now_ms);
PagesLeft PagesLeftOf(const DomainRecord& domain, const PageLimits& limits, TimeMs now_ms);

// Pages of one host, `today` of them on the day that began at `day_start_ms`, which is the last of them.
struct PageNews {
  TimeMs day_start_ms = 0;
  int64_t today = 0;
  int64_t pages = 0;
};

// Adds them to the counts. It does not matter in which order news come: the counts of the day are those of the latest day.
void AddPages(const PageNews& news, DomainRecord* domain);

inline TimeMs DayOf(TimeMs time_ms) { return time_ms - time_ms % kDayMs; }

}  // namespace trawl
