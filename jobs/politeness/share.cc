#include "jobs/politeness/share.h"

#include <algorithm>

#include "formats/rows/times.h"
#include "jobs/politeness/delay.h"
#include "jobs/politeness/host_answer.h"

namespace trawl {

namespace {

constexpr int64_t kPagesOfTrap = 100;
// The second is for the case that the first page fails for reasons of its own.
constexpr int64_t kPagesOfProbation = 2;

HostShare Nothing(LeftOut why, TimeMs until_ms) { return {.pages = 0, .left_out = why, .until_ms = until_ms}; }

}  // namespace

const char* NameOf(LeftOut why) {
  static constexpr const char* kNames[kLeftOutReasons] = {"",          "blocked",     "breaker_open",
                                                          "throttled", "crawl_delay", "day_is_full"};
  return kNames[static_cast<size_t>(why)];
}

HostShare ShareOf(const HostRow& host, const CrawlDelay& crawl_delay, const GenerateOptions& generate,
                  const FetchOptions& fetch, TimeMs now_ms) {
  if (host.blocked) return Nothing(LeftOut::kBlocked, kNever);
  if (IsBreakerOpen(host, now_ms)) return Nothing(LeftOut::kBreakerOpen, host.breaker_until_ms);
  HostShare share;
  share.wait_ms = std::max<int64_t>(host.not_before_ms - now_ms, 0);
  if (share.wait_ms >= generate.time_limit_ms) return Nothing(LeftOut::kThrottled, host.not_before_ms);
  const HostDelay delay = DelayOf(host, crawl_delay.ms, fetch);
  if (delay.skip && crawl_delay.until_ms > now_ms) return Nothing(LeftOut::kCrawlDelay, crawl_delay.until_ms);
  const int64_t rest_ms = delay.ms - std::max<int64_t>(now_ms - host.answered_ms, 0);
  if (rest_ms >= generate.time_limit_ms) return Nothing(LeftOut::kCrawlDelay, now_ms + rest_ms);
  share.page_ms = std::max<int64_t>(delay.ms + host.response_ms, 1);
  share.pages = std::max<int64_t>((generate.time_limit_ms - share.wait_ms) / share.page_ms, 1);

  const int64_t left = PagesLeftToday(host, generate.pages_a_day, now_ms);
  const char* const day_option = host.operator_pages_a_day > 0 ? "trawl host --per_day" : "--generate.pages_a_day";
  if (left == 0) {
    HostShare nothing = Nothing(LeftOut::kDayIsFull, host.day_start_ms + kDayMs);
    nothing.day_option = day_option;
    return nothing;
  }
  share.pages = std::min(share.pages, left);
  if (host.suspected_trap && !host.trap_cleared) share.pages = std::min(share.pages, kPagesOfTrap);
  if (IsOnProbation(host, now_ms)) share.pages = std::min(share.pages, kPagesOfProbation);
  if (generate.per_host > 0) share.pages = std::min(share.pages, generate.per_host);
  if (share.pages == left) share.day_option = day_option;
  return share;
}

}  // namespace trawl
