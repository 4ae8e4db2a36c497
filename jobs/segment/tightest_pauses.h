// How polite past fetches were to a host: the delays of their time, which rows of requests do not have. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "jobs/segment/past_fetches.h"
#include "runtime/store/store.h"

namespace trawl {

// A host's pause in a fetch that was the smallest part of its delay, as the fetch measured it.
struct TightestPause {
  int64_t gap_ms = 0;
  int64_t delay_ms = 0;
};

// One for each of these fetches of the host; nothing where the job that wrote the row kept none (jobs/audit). A list of
// many hosts keeps some of them, those that came too early first.
arrow::Result<std::vector<std::optional<TightestPause>>> TightestPausesOf(Store* store, const std::string& host,
                                                                          const std::vector<PastFetch>& fetches);

// The delay that was in force before a request, whose pause was `gap_ms` long; nothing where nobody kept it.
// `last_delay_ms` is known where it was the host's last request. A pause that is shorter was made under another delay,
// unless the fetch itself measured one that was too short.
std::optional<int64_t> DelayBefore(std::optional<int64_t> gap_ms, const std::optional<TightestPause>& tightest,
                                   std::optional<int64_t> last_delay_ms);

}  // namespace trawl
