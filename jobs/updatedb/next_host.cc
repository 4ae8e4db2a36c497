#include "jobs/updatedb/next_host.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "jobs/politeness/slow.h"

namespace trawl {

namespace {

template <typename Row>
std::string BytesOf(const Row& row) {
  std::string bytes;
  EncodeRow(row, &bytes);
  return bytes;
}

// The operator's fields and the counts of updatedb: fetch only passes them on.
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
  // An expired segment may be applied after a later one: counts only grow.
  row.pages = std::max(known.pages, observed.pages);
  row.bytes = std::max(known.bytes, observed.bytes);
  row.fetched = std::max(known.fetched, observed.fetched);
  KeepTableFields(known, &row);
  return row;
}

void TurnWindow(int64_t now_ms, HostRow* row) {
  if (HasFailedOften(*row)) row->slow_until_ms = std::max(row->slow_until_ms, row->answered_ms + kSlowMs);
  if (row->window_start_ms != 0 && IsWindowOver(*row, now_ms)) {
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
//  1. The operator's fields and the counts of updatedb come from the table, and everything else from the observation. If
//     the table's row is newer than the observation, its fields are kept, and of each count the larger one.
//  2. A host that has failed often (jobs/politeness/slow.h) is slow for an hour from its last answer. A window that
//     began an hour ago or more is over.
//  3. New URLs and linking hosts are added.
//  4. A host of which at least 100 pages were fetched, and over 500 URLs per fetched page are known, is a suspected trap,
//     until there are fewer than 250 per page, or the operator clears it.
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

// Rules: the row that was fetched last stays. While a robots.txt cannot be reached, the text of the last good answer stays
// with the row.
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
