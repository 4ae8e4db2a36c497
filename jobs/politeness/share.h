// A door of jobs/politeness, whom the crawl may ask and when: how many pages a host takes in a round, and how many its
// registrable domain. Pure; any thread.
//
// Rules, in this order:
//  1. A blocked host takes nothing; a host whose breaker is open takes nothing until the breaker's time is over.
//  2. A host that asked to be left alone for longer than the round takes nothing until then; one that asked for less has
//     the rest of the round.
//  3. A host whose Crawl-delay is too long takes nothing where such hosts are skipped, until its robots.txt is due again;
//     elsewhere a host whose delay outlasts the round takes nothing until that delay is nearly over.
//  4. A host takes what fits into its time by its delay and its response time: at least one page.
//  5. It takes no more than is left of its pages in all, and of its pages per day: the operator's numbers for the host,
//     else the crawl's. Where nothing is left in all, it takes nothing; where nothing is left of the day, nothing until
//     that day is over. A suspected trap has 100 pages a day at most, whoever set another number.
//  6. A host whose breaker was open takes two, to see whether it answers again.
//  7. No host takes more than --per_host.
// A registrable domain is blocked and limited in the same way (rules 1 and 5), over all its hosts.
#pragma once

#include <cstdint>
#include <optional>

#include "formats/rows/host_row.h"
#include "formats/rows/times.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/generate_options.h"
#include "jobs/politeness/quota.h"
#include "runtime/process/clock.h"

namespace trawl {

// A host that asks for a longer pause is left to a later round.
inline constexpr int64_t kLongestPauseMs = 5 * kMinuteMs;

// Why a round leaves a host out.
enum class LeftOut : int8_t {
  kNone = 0,
  kBlocked,
  kBreakerOpen,
  kThrottled,
  kCrawlDelay,
  kDayIsFull,
  kHostIsFull,
  kDomainBlocked,
  kDomainDayIsFull,
  kDomainIsFull,
};
inline constexpr int kLeftOutReasons = 10;
// "breaker_open": the reason as counters and people know it.
const char* NameOf(LeftOut why);

struct HostShare {
  int64_t pages = 0;
  LeftOut left_out = LeftOut::kNone;  // why it takes nothing
  TimeMs until_ms = 0;                // when that ends; kNever: not by itself
  int64_t page_ms = 0;                // a page's delay and answer
  int64_t wait_ms = 0;                // before the first page
  // Where `pages` is all that is left of the pages of its day, or in all: the option that sets them; else empty.
  const char* day_option = "";
  const char* all_option = "";
  int64_t limit = 0;  // of the pages of its day, or in all, where that leaves nothing
};

// What a registrable domain takes, all its hosts together.
struct DomainShare {
  int64_t pages = kNoLimit;
  LeftOut left_out = LeftOut::kNone;
  TimeMs until_ms = 0;      // when that ends; kNever: not by itself
  const char* option = "";  // that sets the limit
  bool is_of_day = false;   // the limit is that of a day
  int64_t limit = 0;        // where it leaves nothing
};

// The Crawl-delay of a host's robots.txt.
struct CrawlDelay {
  std::optional<int64_t> ms;
  TimeMs until_ms = 0;  // when that robots.txt is due again
};

HostShare ShareOf(const HostRow& host, const CrawlDelay& crawl_delay, const GenerateOptions& generate,
                  const FetchOptions& fetch, TimeMs now_ms);
// The part of it that asks for the host's row alone: nothing, where its day or the host is full; else not left out.
HostShare ShareOfFull(const HostRow& host, const GenerateOptions& generate, TimeMs now_ms);
DomainShare DomainShareOf(const DomainRecord& domain, const GenerateOptions& generate, TimeMs now_ms);

// The crawl's limits for each host, and for each registrable domain.
inline PageLimits HostLimits(const GenerateOptions& generate) {
  return {.a_day = generate.pages_a_day, .in_all = generate.host_pages};
}
inline PageLimits DomainLimits(const GenerateOptions& generate) {
  return {.a_day = generate.domain_pages_a_day, .in_all = generate.domain_pages};
}

}  // namespace trawl
