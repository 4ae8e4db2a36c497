// The door of jobs/refresh: when a page is fetched again, by its class, and by how often the page has changed. Any thread.
//
// Start with Reschedule, whose rules are numbered at its definition. The classes come from the file that --refresh.rules
// names (jobs/refresh/refresh_rules.h).
#pragma once

#include <cstdint>
#include <string>

#include "arrow/result.h"
#include "formats/rows/times.h"
#include "formats/rows/url_row.h"
#include "runtime/options/options.h"

namespace trawl {

struct RefreshOptions {
  std::string rules;
  // Adaptive intervals.
  int64_t start_interval_ms = 168 * kHourMs;
  int32_t often_rate = 500'000;  // millionths
  int64_t often_interval_ms = kDayMs;
  int32_t sometimes_rate = 200'000;
  int64_t sometimes_interval_ms = 72 * kHourMs;
  int32_t top_score = 800'000;
  int64_t top_interval_ms = 6 * kHourMs;
  int32_t settled_after = 3;
  int32_t settled_growth = 2;
  int64_t min_interval_ms = kHourMs;
  int64_t max_interval_ms = 30 * kDayMs;
  // Pages that failed, are gone or denied.
  int32_t failing_rounds = 3;
  int64_t retry_interval_ms = kDayMs;
  int64_t gone_interval_ms = 90 * kDayMs;
  int64_t denied_interval_ms = 7 * kDayMs;
};
const OptionGroup<RefreshOptions>& RefreshOptionGroup();

// The time from an answer of a page until it is asked for again: its interval; twice that where another page stands for it,
// unless the operator set the interval.
int64_t WaitOf(const UrlRow& row);

// The end of an interval that begins with an answer. It starts with the minute in which the round began, so that a daily
// page is due in each daily round, though fetching takes a while and a scheduler may start some seconds sooner or later.
// But the interval loses no more than a tenth, and the shortest interval loses nothing. `round_ms` is 0 where the round's
// begin is not known.
struct IntervalStart {
  int64_t answered_ms = 0;
  int64_t round_ms = 0;
};
int64_t EndOfInterval(const IntervalStart& start, int64_t interval_ms, const RefreshOptions& options);

// Reads the rules file; empty where the options name no file. UsageError where it cannot be read.
arrow::Result<std::string> ReadRefreshRules(const RefreshOptions& options);

// What the operator promises of some pages: the interval with which they begin, and the longest one.
struct RefreshClass {
  std::string name = "default";
  int64_t first_ms = 0;    // 0: what a sitemap or the options say
  int64_t longest_ms = 0;  // 0: what the options say
  uint32_t line = 0;       // a line of the rules file; 0: no rule matched

  // The pages are fetched at one interval, whatever their changes say.
  bool IsSteady() const { return first_ms > 0 && first_ms == longest_ms; }
};

int64_t LongestOf(const RefreshClass& refresh_class, const RefreshOptions& options);

// Sets the interval of a page that has just been fetched, and change_rate and unchanged, from which it is made.
// `is_first`: there was no content to compare with. REQUIRES: the row has its new score.
void Reschedule(const RefreshOptions& options, const RefreshClass& refresh_class, bool is_first, bool has_changed,
                UrlRow* row);

// Follow a score that has changed from `before` between two fetches. A page that is a top page no longer begins anew with
// start_interval, from its next fetch on; one that has become a top page is due within top_interval, a duplicate within two,
// but where the operator set its interval or due time.
void LeaveTop(const RefreshOptions& options, int32_t before, UrlRow* row);
void EnterTop(const RefreshOptions& options, int32_t before, UrlRow* row);

// Whether a page that was due was fetched in its window: no later than one interval after it was due.
bool IsWithinWindow(const UrlRow& before, int64_t fetched_ms);

}  // namespace trawl
