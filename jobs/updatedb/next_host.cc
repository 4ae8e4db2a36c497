#include "jobs/updatedb/next_host.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "formats/rows/times.h"

namespace trawl {

namespace {

constexpr int32_t kSlowRequests = 20;
constexpr int32_t kSlowShare = 5;  // one request of so many

template <typename Row>
std::string BytesOf(const Row& row) {
  std::string bytes;
  EncodeRow(row, &bytes);
  return bytes;
}

// The operator's word and what updatedb counts: fetching carries them along and decides nothing of them.
void KeepTableFields(const HostRow& known, HostRow* row) {
  row->blocked = known.blocked;
  row->operator_delay_ms = known.operator_delay_ms;
  row->operator_pages_a_day = known.operator_pages_a_day;
  row->trap_cleared = known.trap_cleared;
  row->discovered = known.discovered;
  row->suspected_trap = known.suspected_trap;
  row->linking_hosts = known.linking_hosts;
}

HostRow Observed(const HostRow& known, const HostRow& observed) {
  HostRow row = observed.answered_ms >= known.answered_ms ? observed : known;
  // An expired segment may be applied behind a later one: counts only grow.
  row.pages = std::max(known.pages, observed.pages);
  row.bytes = std::max(known.bytes, observed.bytes);
  row.fetched = std::max(known.fetched, observed.fetched);
  KeepTableFields(known, &row);
  return row;
}

void TurnWindow(int64_t now_ms, HostRow* row) {
  if (row->window_requests >= kSlowRequests && int64_t{row->window_failures} * kSlowShare > row->window_requests) {
    row->slow_until_ms = std::max(row->slow_until_ms, row->answered_ms + kHourMs);
  }
  if (row->window_start_ms != 0 && row->window_start_ms + kHourMs <= now_ms) {
    row->window_start_ms = 0;
    row->window_requests = 0;
    row->window_failures = 0;
  }
}

void SuspectTrap(HostRow* row) {
  if (row->fetched >= kTrapFetched && row->discovered > kTrapRatio * row->fetched) row->suspected_trap = true;
  if (row->discovered < kTrapOverRatio * row->fetched || row->trap_cleared) row->suspected_trap = false;
}

}  // namespace

bool IsNewerObservation(const HostRow& a, const HostRow& b) {
  const auto order = [](const HostRow& row) {
    return std::make_tuple(row.answered_ms, row.pages, row.window_requests, BytesOf(row));
  };
  return order(a) > order(b);
}

// Rules:
//  1. The operator's fields and what updatedb counts come from the table, everything else from the observation, unless
//     the table has heard of the host since: then that is kept, and the counts are the larger ones.
//  2. More than a fifth of at least 20 requests failed within the window: the host is slow for an hour from its last
//     answer. A window that began an hour ago or more is over.
//  3. New URLs and linking hosts are added.
//  4. At least 100 pages fetched and over 500 URLs known for each: a suspected trap, until there are fewer than 250 for
//     each, or the operator says that it is none.
HostRow NextHost(const HostRow* known, const HostRow* observed, const HostTally& tally, int64_t now_ms) {
  HostRow row;
  if (observed != nullptr) {
    const HostRow none;
    row = Observed(known != nullptr ? *known : none, *observed);
    TurnWindow(now_ms, &row);
  } else if (known != nullptr) {
    row = *known;
  }
  row.discovered += tally.discovered;
  row.linking_hosts += tally.linking_hosts;
  SuspectTrap(&row);
  return row;
}

bool IsNewerRobots(const RobotsRow& a, const RobotsRow& b) {
  if (a.fetched_ms != b.fetched_ms) return a.fetched_ms > b.fetched_ms;
  return BytesOf(a) > BytesOf(b);
}

// Rules: the row fetched last stays; while a robots.txt cannot be had, the text of the last good answer stays with it.
std::optional<RobotsRow> NextRobots(const RobotsRow* known, const RobotsRow& observed) {
  if (known == nullptr) return observed;
  if (observed.fetched_ms <= known->fetched_ms) return std::nullopt;
  RobotsRow row = observed;
  if (row.failures > 0 && row.text_ms == 0) {
    row.text = known->text;
    row.text_ms = known->text_ms;
  }
  return row;
}

}  // namespace trawl
