#include "jobs/updatedb/next_host.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "jobs/policy/sitemap_options.h"
#include "jobs/politeness/quota.h"
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
  row->operator_pages = known.operator_pages;
  row->operator_reason = known.operator_reason;
  row->discovered_ms = known.discovered_ms;
  row->domain = known.domain;
  row->trap_cleared = known.trap_cleared;
  row->discovered = known.discovered;
  row->suspected_trap = known.suspected_trap;
  row->linking_hosts = known.linking_hosts;
  row->default_sitemap_ms = known.default_sitemap_ms;
  row->lastmods_checked = known.lastmods_checked;
  row->lastmods_wrong = known.lastmods_wrong;
  row->priorities_stated = known.priorities_stated;
  row->priorities_top = known.priorities_top;
  row->probe_ms = known.probe_ms;
  row->error_digest = known.error_digest;
  row->error_simhash = known.error_simhash;
  row->discovered_day_ms = known.discovered_day_ms;
  row->discovered_today = known.discovered_today;
  row->cleared_discovered = known.cleared_discovered;
  row->cleared_fetched = known.cleared_fetched;
}

// The pages of the later of both days.
void CountDay(const HostRow& known, const HostRow& observed, HostRow* row) {
  const HostRow& later = observed.day_start_ms >= known.day_start_ms ? observed : known;
  row->day_start_ms = later.day_start_ms;
  row->pages_today = later.pages_today;
  if (observed.day_start_ms != known.day_start_ms) return;
  row->pages_today = std::max(known.pages_today + observed.round_pages_today, observed.pages_today);
}

HostRow Observed(const HostRow& known, const HostRow& observed) {
  HostRow row = observed.answered_ms >= known.answered_ms ? observed : known;
  // An expired segment may be applied after a later one: its pages come to those of the table.
  row.pages = std::max(known.pages + observed.round_pages, observed.pages);
  CountDay(known, observed, &row);
  row.round_pages = row.round_pages_today = 0;
  row.bytes = std::max(known.bytes, observed.bytes);
  row.fetched = std::max(known.fetched, observed.fetched);
  KeepTableFields(known, &row);
  return row;
}

void TurnWindow(const FetchOptions& options, int64_t now_ms, HostRow* row) {
  if (HasFailedOften(*row, options)) {
    row->slow_until_ms = std::max(row->slow_until_ms, row->answered_ms + options.slow_time_ms);
  }
  if (row->window_start_ms != 0 && IsWindowOver(*row, options, now_ms)) {
    row->window_start_ms = 0;
    row->window_requests = 0;
    row->window_failures = 0;
  }
}

// A row may be there for the operator's decisions alone.
bool WasSeen(const HostRow& row) {
  return row.discovered_ms != 0 || row.answered_ms != 0 || row.discovered > 0 || row.linking_hosts > 0;
}

// Where the operator cleared it, what came since counts. Rows of older versions do not say since when: since now.
void SuspectTrap(HostRow* row) {
  if (row->trap_cleared && row->cleared_fetched == 0) {
    row->cleared_discovered = row->discovered;
    row->cleared_fetched = row->fetched;
  }
  const int64_t discovered = row->discovered - row->cleared_discovered;
  const int64_t fetched = row->fetched - row->cleared_fetched;
  const bool is_trap = fetched >= kTrapFetched && discovered > kTrapRatio * fetched;
  if (row->trap_cleared && !is_trap) {
    row->suspected_trap = false;
    return;
  }
  row->trap_cleared = false;
  if (is_trap) row->suspected_trap = true;
  if (discovered < kTrapOverRatio * fetched) row->suspected_trap = false;
}

// New URLs count on the day of the round that brings them, or on a later one that was counted already.
void CountDiscovered(int64_t urls, int64_t now_ms, HostRow* row) {
  row->discovered += urls;
  if (urls == 0) return;
  if (DayOf(now_ms) > row->discovered_day_ms) {
    row->discovered_day_ms = DayOf(now_ms);
    row->discovered_today = 0;
  }
  row->discovered_today = static_cast<int32_t>(std::min<int64_t>(row->discovered_today + urls, INT32_MAX));
}

void TakeProbe(const ProbeAnswer& probe, HostRow* row) {
  row->probe_ms = probe.asked_ms;
  row->error_digest = probe.content_digest;
  row->error_simhash = probe.simhash;
}

// Adds to a count and to those of it that were wrong, and halves both where they are too large.
void AddWords(int64_t words, int64_t wrong, int32_t* all, int32_t* bad) {
  words += *all;
  wrong += *bad;
  for (; words > kMostWords; words /= 2) wrong /= 2;
  *all = static_cast<int32_t>(words);
  *bad = static_cast<int32_t>(wrong);
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
//     the table's row is newer than the observation, its fields are kept; the segment's pages come to those that the
//     table has, and of each other count the larger one is kept.
//  2. A host that has failed often (jobs/politeness/slow.h) is slow for a time from its last answer. A window that
//     began too long ago is over.
//  3. New URLs and linking hosts are added.
//  4. A host of which at least 100 pages were fetched, and over 500 URLs per fetched page are known, is a suspected trap,
//     until there are fewer than 250 per page, or the operator clears it. Then it is judged by what comes from then on.
//     URLs that its limit of new URLs left out count as known in this, once in each round that met them: or the limit
//     itself would end the suspicion.
//  5. A host of which nothing was seen before is discovered now.
//  6. What its sitemaps stated is added, too. Of such counts the share matters, and the latest words most: beyond
//     kMostWords they are halved.
//  7. The answer to a path that cannot exist replaces the one before, also where it is none: then the host has no error
//     page of status 200.
HostRow NextHost(const HostRow* known, const HostRow* observed, const HostTally& tally, const FetchOptions& options,
                 int64_t now_ms) {
  HostRow row;
  if (observed != nullptr) {
    const HostRow none;
    row = Observed(known != nullptr ? *known : none, *observed);
    TurnWindow(options, now_ms, &row);
  } else if (known != nullptr) {
    row = *known;
  }
  CountDiscovered(tally.discovered, now_ms, &row);
  row.cleared_discovered -= tally.left_out;
  row.linking_hosts += tally.linking_hosts;
  AddWords(tally.lastmods_checked, tally.lastmods_wrong, &row.lastmods_checked, &row.lastmods_wrong);
  AddWords(tally.priorities_stated, tally.priorities_top, &row.priorities_stated, &row.priorities_top);
  row.default_sitemap_ms = std::max(row.default_sitemap_ms, tally.guessed_ms);
  if (tally.probe.asked_ms > row.probe_ms) TakeProbe(tally.probe, &row);
  SuspectTrap(&row);
  const bool has_news = observed != nullptr || !(tally == HostTally());
  if (has_news && (known == nullptr || !WasSeen(*known))) row.discovered_ms = now_ms;
  return row;
}

bool IsNewerRobots(const RobotsRow& a, const RobotsRow& b) {
  if (a.fetched_ms != b.fetched_ms) return a.fetched_ms > b.fetched_ms;
  return BytesOf(a) > BytesOf(b);
}

namespace {

// More are not counted: the host has long been left alone for as long as it may be.
constexpr int32_t kMostDeadRounds = 1000;

// Whether any server was there: it may have answered with an error.
bool HasAnswered(const RobotsRow& row) { return row.failures == 0 || row.status != 0 || !row.redirect_to.empty(); }

// How long a dead host is left alone.
int64_t DeadIntervalMs(int32_t rounds, const RefreshOptions& refresh) {
  const int32_t doublings = std::clamp(rounds - refresh.failing_rounds, 0, 20);
  return std::clamp(refresh.retry_interval_ms << doublings, refresh.retry_interval_ms,
                    std::max(refresh.retry_interval_ms, refresh.gone_interval_ms));
}

}  // namespace

// Rules:
//  1. The row that was fetched last stays.
//  2. While a robots.txt cannot be reached, the text of the last good answer stays with the row.
//  3. What was sent and answered, word for word, stays with the segment.
//  4. A round that finds nobody there is counted. The host is then left alone for retry_interval, as a page that failed;
//     from the last of failing_rounds rounds on, for twice as long after each such round, up to gone_interval. An answer
//     of the host ends the count; other failures neither add to it nor end it.
std::optional<RobotsRow> NextRobots(const RobotsRow* known, const RobotsRow& observed, const RefreshOptions& refresh,
                                    int64_t round_ms) {
  if (known != nullptr && observed.fetched_ms <= known->fetched_ms) return std::nullopt;
  RobotsRow row = observed;
  row.capture = {};
  row.hops.clear();
  if (known != nullptr && row.failures > 0 && row.text_ms == 0) {
    row.text = known->text;
    row.text_ms = known->text_ms;
  }
  row.dead_rounds = known == nullptr || HasAnswered(row) ? 0 : known->dead_rounds;
  if (row.is_dead) {
    row.dead_rounds = std::min(row.dead_rounds, kMostDeadRounds - 1) + 1;
    row.due_ms = EndOfInterval({row.fetched_ms, round_ms}, DeadIntervalMs(row.dead_rounds, refresh), refresh);
  }
  return row;
}

OriginFate FateOf(const RobotsRow* known, const RobotsRow& next, const RefreshOptions& refresh) {
  if (next.is_dead) return next.dead_rounds >= refresh.failing_rounds ? OriginFate::kGone : OriginFate::kSame;
  return known != nullptr && known->dead_rounds > 0 && next.dead_rounds == 0 ? OriginFate::kBack : OriginFate::kSame;
}

}  // namespace trawl
