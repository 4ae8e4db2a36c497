#include "jobs/politeness/share.h"

#include <algorithm>

#include "formats/rows/times.h"
#include "jobs/politeness/delay.h"
#include "jobs/politeness/host_answer.h"

namespace trawl {

namespace {

// The second is for the case that the first page fails for reasons of its own.
constexpr int64_t kPagesOfProbation = 2;

HostShare Nothing(LeftOut why, TimeMs until_ms) { return {.pages = 0, .left_out = why, .until_ms = until_ms}; }

// The option that sets the limit of the host's day.
const char* DayOptionOf(const HostRow& host, const PageLimits& limits) {
  if (IsTrap(host) && limits.a_day == kTrapPagesADay) return "a suspected trap; trawl host HOST --clear trap";
  return host.operator_pages_a_day > 0 ? "trawl host --per_day" : "--generate.pages_a_day";
}

const char* AllOptionOf(const HostRow& host) {
  return host.operator_pages > 0 ? "trawl host --pages" : "--generate.host_pages";
}

}  // namespace

const char* NameOf(LeftOut why) {
  static constexpr const char* kNames[kLeftOutReasons] = {"",
                                                          "blocked",
                                                          "breaker_open",
                                                          "throttled",
                                                          "crawl_delay",
                                                          "day_is_full",
                                                          "host_is_full",
                                                          "domain_blocked",
                                                          "domain_day_is_full",
                                                          "domain_is_full"};
  return kNames[static_cast<size_t>(why)];
}

HostShare ShareOfFull(const HostRow& host, const GenerateOptions& generate, TimeMs now_ms) {
  const PageLimits limits = LimitsOf(host, HostLimits(generate));
  const PagesLeft left = PagesLeftOf(host, HostLimits(generate), now_ms);
  HostShare share;
  if (left.in_all == 0) {
    share = Nothing(LeftOut::kHostIsFull, kNever);
    share.all_option = AllOptionOf(host);
    share.limit = limits.in_all;
  } else if (left.today == 0) {
    share = Nothing(LeftOut::kDayIsFull, host.day_start_ms + kDayMs);
    share.day_option = DayOptionOf(host, limits);
    share.limit = limits.a_day;
  }
  return share;
}

HostShare ShareOf(const HostRow& host, const CrawlDelay& crawl_delay, const GenerateOptions& generate,
                  const FetchOptions& fetch, TimeMs now_ms) {
  if (host.blocked) return Nothing(LeftOut::kBlocked, kNever);
  if (IsBreakerOpen(host, now_ms)) return Nothing(LeftOut::kBreakerOpen, host.breaker_until_ms);
  HostShare share;
  share.wait_ms = std::max<int64_t>(host.not_before_ms - now_ms, 0);
  if (share.wait_ms > std::min<int64_t>(generate.time_limit_ms, kLongestPauseMs)) {
    return Nothing(LeftOut::kThrottled, host.not_before_ms);
  }
  const HostDelay delay = DelayOf(host, crawl_delay.ms, fetch);
  if (delay.skip && crawl_delay.until_ms > now_ms) return Nothing(LeftOut::kCrawlDelay, crawl_delay.until_ms);
  const int64_t rest_ms = delay.ms - std::max<int64_t>(now_ms - host.answered_ms, 0);
  if (rest_ms >= generate.time_limit_ms) return Nothing(LeftOut::kCrawlDelay, now_ms + rest_ms);
  share.page_ms = std::max<int64_t>(delay.ms + host.response_ms, 1);
  share.pages = std::max<int64_t>((generate.time_limit_ms - share.wait_ms) / share.page_ms, 1);

  const PagesLeft left = PagesLeftOf(host, HostLimits(generate), now_ms);
  if (left.Least() == 0) return ShareOfFull(host, generate, now_ms);
  share.pages = std::min(share.pages, left.Least());
  if (IsOnProbation(host, now_ms)) share.pages = std::min(share.pages, kPagesOfProbation);
  if (generate.per_host > 0) share.pages = std::min(share.pages, generate.per_host);
  if (share.pages == left.in_all) {
    share.all_option = AllOptionOf(host);
  } else if (share.pages == left.today) {
    share.day_option = DayOptionOf(host, LimitsOf(host, HostLimits(generate)));
  }
  return share;
}

DomainShare DomainShareOf(const DomainRecord& domain, const GenerateOptions& generate, TimeMs now_ms) {
  DomainShare share;
  if (domain.blocked) {
    return {.pages = 0, .left_out = LeftOut::kDomainBlocked, .until_ms = kNever, .option = "trawl host --domain"};
  }
  const PagesLeft left = PagesLeftOf(domain, DomainLimits(generate), now_ms);
  share.pages = left.Least();
  share.is_of_day = left.today < left.in_all;
  if (share.pages == kNoLimit) return share;
  if (share.is_of_day) {
    share.option = domain.operator_pages_a_day > 0 ? "trawl host --domain --per_day" : "--generate.domain_pages_a_day";
  } else {
    share.option = domain.operator_pages > 0 ? "trawl host --domain --pages" : "--generate.domain_pages";
  }
  if (share.pages > 0) return share;
  share.left_out = share.is_of_day ? LeftOut::kDomainDayIsFull : LeftOut::kDomainIsFull;
  const PageLimits limits = LimitsOf(domain, DomainLimits(generate));
  share.limit = share.is_of_day ? limits.a_day : limits.in_all;
  share.until_ms = share.is_of_day ? domain.day_start_ms + kDayMs : kNever;
  return share;
}

}  // namespace trawl
