// The changes that an answer makes to its host's row: response time, surcharge, throttle, window, breaker. Pure; any
// thread.
//
//  1. The smoothed response time is 0.8 of the old and 0.2 of the new; a first one counts whole.
//  2. The surcharge on the delay grows by 0.5 s with an answer over 5 s and shrinks by 0.1 s with one under 0.5 s.
//  3. A throttled host waits as told, 1 s to 24 h, and its delay doubles until ten good answers have come.
//  4. Failures in a row open the breaker (5 of them, for 5 min, doubling with each time up to 24 h, by the options
//     breaker_…). Then one request is let through: it closes the breaker, or opens it again. Any answer that is not a
//     server error ends the row of failures.
//  5. A host that has failed often (jobs/politeness/slow.h) is slow for a time.
#pragma once

#include <cstdint>

#include "formats/rows/host_row.h"
#include "jobs/policy/fetch_options.h"

namespace trawl {

enum class HostSign : int8_t {
  kAnswered,   // the server answered, whatever it says of the URL
  kThrottled,  // it asks for fewer requests
  kFailed,     // no answer, or a server error
  kBlameless,  // our own machine's fault: it says nothing of the host
};

struct HostAnswer {
  HostSign sign = HostSign::kAnswered;
  int64_t ended_ms = 0;
  int64_t response_ms = -1;     // -1: there was no answer
  int64_t retry_after_ms = -1;  // how long it asks to wait, 1 s to 24 h; -1: not said
  bool is_page = true;          // false: a robots.txt
  int64_t bytes = 0;
};

// Applies rules 1 to 5, and counts the request, its page and its bytes.
void TakeAnswer(const HostAnswer& answer, const FetchOptions& options, HostRow* host);

// Whether the breaker's time is over, but no answer has closed it yet: the host gets very few requests, to see whether
// it answers again.
bool IsOnProbation(const HostRow& host, int64_t now_ms);
// Whether the breaker is open now, so that the host is not asked. A breaker whose time is over lets one request through.
bool IsBreakerOpen(const HostRow& host, int64_t now_ms);

}  // namespace trawl
