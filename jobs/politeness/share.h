// A door of jobs/politeness, whom the crawl may ask and when: how many pages a host takes in a round. Pure; any thread.
//
// Rules, in this order:
//  1. A blocked host takes nothing; a host whose breaker is open takes nothing until the breaker's time is over.
//  2. A host that asked to be left alone for longer than the round takes nothing until then; one that asked for less has
//     the rest of the round.
//  3. A host whose Crawl-delay is too long takes nothing where such hosts are skipped, until its robots.txt is due again;
//     elsewhere a host whose delay outlasts the round takes nothing until that delay is nearly over.
//  4. A host takes what fits into its time by its delay and its response time: at least one page.
//  5. It takes no more than is left of its pages per day: the operator's number for the host, else the crawl's. Where
//     nothing is left, it takes nothing until that day is over.
//  6. A suspected trap that the operator has not cleared takes no more than 100 pages.
//  7. A host whose breaker was open takes two, to see whether it answers again.
//  8. No host takes more than --per_host.
#pragma once

#include <cstdint>
#include <optional>

#include "formats/rows/host_row.h"
#include "formats/rows/times.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/generate_options.h"
#include "runtime/process/clock.h"

namespace trawl {

// Why a round leaves a host out.
enum class LeftOut : int8_t { kNone = 0, kBlocked, kBreakerOpen, kThrottled, kCrawlDelay, kDayIsFull };
inline constexpr int kLeftOutReasons = 6;
// "breaker_open": the reason as counters and people know it.
const char* NameOf(LeftOut why);

struct HostShare {
  int64_t pages = 0;
  LeftOut left_out = LeftOut::kNone;  // why it takes nothing
  TimeMs until_ms = 0;                // when that ends; kNever: not by itself
  int64_t page_ms = 0;                // a page's delay and answer
  int64_t wait_ms = 0;                // before the first page
  // The option that sets the pages of the host's day, where `pages` is all that is left of them; else empty.
  const char* day_option = "";
};

// The Crawl-delay of a host's robots.txt.
struct CrawlDelay {
  std::optional<int64_t> ms;
  TimeMs until_ms = 0;  // when that robots.txt is due again
};

HostShare ShareOf(const HostRow& host, const CrawlDelay& crawl_delay, const GenerateOptions& generate,
                  const FetchOptions& fetch, TimeMs now_ms);

}  // namespace trawl
