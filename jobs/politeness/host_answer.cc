#include "jobs/politeness/host_answer.h"

#include <algorithm>

#include "formats/rows/times.h"
#include "jobs/politeness/slow.h"

namespace trawl {

namespace {

constexpr int64_t kSlowAnswerMs = 5 * kSecondMs, kQuickAnswerMs = kSecondMs / 2;
constexpr int32_t kSurchargeUpMs = 500, kSurchargeDownMs = 100;
constexpr int32_t kLongestSurchargeMs = 10 * kMinuteMs;
constexpr int32_t kMostDoublings = 20;
constexpr int32_t kGoodAnswersEndThrottle = 10;

void TakeResponseTime(int64_t response_ms, HostRow* host) {
  if (response_ms < 0) return;
  const int64_t fresh_ms = std::min<int64_t>(response_ms, kHourMs);
  host->response_ms =
      static_cast<int32_t>(host->response_ms == 0 ? fresh_ms : (4 * int64_t{host->response_ms} + fresh_ms) / 5);
  if (response_ms > kSlowAnswerMs) host->surcharge_ms += kSurchargeUpMs;
  if (response_ms < kQuickAnswerMs) host->surcharge_ms -= kSurchargeDownMs;
  host->surcharge_ms = std::clamp(host->surcharge_ms, 0, kLongestSurchargeMs);
}

void TakeThrottle(const HostAnswer& answer, HostRow* host) {
  host->throttle_factor = std::min(host->throttle_factor + 1, kMostDoublings);
  host->good_answers = 0;
  if (answer.retry_after_ms < 0) return;
  host->not_before_ms = std::max(host->not_before_ms, answer.ended_ms + answer.retry_after_ms);
}

void TakeGoodAnswer(HostRow* host) {
  if (host->throttle_factor == 0 || ++host->good_answers < kGoodAnswersEndThrottle) return;
  host->throttle_factor = 0;
  host->good_answers = 0;
}

void OpenBreaker(int64_t now_ms, const FetchOptions& options, HostRow* host) {
  const int doublings = std::min(host->breaker_openings, 20);
  host->breaker_openings = doublings + 1;
  host->breaker = BreakerState::kOpen;
  host->breaker_until_ms = now_ms + std::min(options.breaker_first_ms << doublings, options.breaker_longest_ms);
}

void TakeFailure(int64_t now_ms, const FetchOptions& options, HostRow* host) {
  ++host->failures_in_a_row;
  if (options.breaker_failures == 0) {
    host->breaker = BreakerState::kClosed;
    return;
  }
  const bool was_tried = host->breaker != BreakerState::kClosed;
  if (was_tried || host->failures_in_a_row >= options.breaker_failures) OpenBreaker(now_ms, options, host);
}

void EndFailures(HostRow* host) {
  host->failures_in_a_row = 0;
  host->breaker = BreakerState::kClosed;
  host->breaker_openings = 0;
  host->breaker_until_ms = 0;
}

void CountInWindow(const HostAnswer& answer, const FetchOptions& options, HostRow* host) {
  if (IsWindowOver(*host, options, answer.ended_ms) || answer.ended_ms < host->window_start_ms) {
    host->window_start_ms = answer.ended_ms;
    host->window_requests = host->window_failures = 0;
  }
  ++host->window_requests;
  if (answer.sign == HostSign::kFailed) ++host->window_failures;
  if (HasFailedOften(*host, options)) host->slow_until_ms = answer.ended_ms + options.slow_time_ms;
}

void CountPage(const HostAnswer& answer, HostRow* host) {
  const int64_t day_ms = answer.ended_ms - answer.ended_ms % kDayMs;
  if (host->day_start_ms != day_ms) {
    host->day_start_ms = day_ms;
    host->pages_today = host->round_pages_today = 0;
  }
  ++host->pages_today;
  ++host->pages;
  ++host->round_pages_today;
  ++host->round_pages;
}

}  // namespace

void TakeAnswer(const HostAnswer& answer, const FetchOptions& options, HostRow* host) {
  host->answered_ms = answer.ended_ms;
  host->bytes += answer.bytes;
  if (answer.is_page) CountPage(answer, host);
  if (answer.sign == HostSign::kBlameless) return;
  CountInWindow(answer, options, host);
  TakeResponseTime(answer.response_ms, host);
  if (answer.sign == HostSign::kFailed) return TakeFailure(answer.ended_ms, options, host);
  EndFailures(host);
  if (answer.sign == HostSign::kThrottled) return TakeThrottle(answer, host);
  TakeGoodAnswer(host);
}

bool IsOnProbation(const HostRow& host, int64_t now_ms) {
  return host.breaker == BreakerState::kHalfOpen ||
         (host.breaker == BreakerState::kOpen && host.breaker_until_ms <= now_ms);
}

bool IsBreakerOpen(const HostRow& host, int64_t now_ms) {
  return host.breaker == BreakerState::kOpen && host.breaker_until_ms > now_ms;
}

}  // namespace trawl
