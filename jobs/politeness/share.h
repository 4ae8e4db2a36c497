// What a host takes in a round. Pure; any thread.
//
// Rules, in this order:
//  1. A blocked host takes nothing; one whose breaker is open, nothing until that time.
//  2. One that asked to be left alone for longer than the round nothing until then; else it has the rest of the round.
//  3. One whose Crawl-delay is too long takes nothing where such hosts are skipped, until its robots.txt is due again;
//     elsewhere one whose delay outlasts the round takes nothing until it is nearly over.
//  4. The time it has, by its delay and its response time: at least one page.
//  5. What is left of its pages a day: the operator's word for the host, else the crawl's. Nothing left: nothing until
//     that day is over.
//  6. A suspected trap that the operator has not cleared: 100.
//  7. One whose breaker was open: two, to see whether it answers again.
//  8. --per_host.
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
// What a person is told: "blocked", "breaker_open".
const char* NameOf(LeftOut why);

struct HostShare {
  int64_t pages = 0;
  LeftOut left_out = LeftOut::kNone;  // why it takes nothing
  TimeMs until_ms = 0;                // when that ends; kNever: not by itself
  int64_t page_ms = 0;                // a page's delay and answer
  int64_t wait_ms = 0;                // before the first
};

// What a host's robots.txt wishes, and when it is asked for that again.
struct CrawlDelay {
  std::optional<int64_t> ms;
  TimeMs until_ms = 0;
};

HostShare ShareOf(const HostRow& host, const CrawlDelay& crawl_delay, const GenerateOptions& generate,
                  const FetchOptions& fetch, TimeMs now_ms);

// Whether more than a fifth of at least twenty requests of the last hour failed, or did so within the last hour of
// rounds.
bool IsSlow(const HostRow& host, TimeMs now_ms);
// How long such a host is apart from the others.
inline constexpr int64_t kSlowMs = kHourMs;

}  // namespace trawl
