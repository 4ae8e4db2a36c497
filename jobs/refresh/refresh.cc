#include "jobs/refresh/refresh.h"

#include <algorithm>

#include "formats/rows/times.h"
#include "runtime/process/read_file.h"
#include "runtime/process/status_detail.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The change rate is a mean of about this many comparisons.
constexpr int32_t kRateMemory = 4;
// A hundred years, so that sums of times stay far from the end of int64.
constexpr int64_t kLongestMs = 36'525 * kDayMs;

}  // namespace

const OptionGroup<RefreshOptions>& RefreshOptionGroup() {
  static const auto group =
      OptionGroup<RefreshOptions>("refresh", "When pages are fetched again")
          .String("rules", &RefreshOptions::rules,
                  "classes of pages: lines CLASS FIRST..LONGEST host=H domain=D path=/P type=T sitemap=URL +REGEX; the "
                  "first "
                  "line that matches decides; news and tail need no interval",
                  "FILE")
          .Main()
          .Duration("start_interval", &RefreshOptions::start_interval_ms, "interval after a page's first fetch",
                    Between(1, kLongestMs))
          .Main()
          .Fixed("often_rate", &RefreshOptions::often_rate,
                 "a page that changed in more than this share of its fetches changes often", 6, Between(0, kScoreOne))
          .Duration("often_interval", &RefreshOptions::often_interval_ms, "interval of pages that change often",
                    Between(1, kLongestMs))
          .Fixed("sometimes_rate", &RefreshOptions::sometimes_rate,
                 "a page that changed in more than this share of its fetches changes sometimes", 6,
                 Between(0, kScoreOne))
          .Duration("sometimes_interval", &RefreshOptions::sometimes_interval_ms,
                    "interval of pages that change sometimes", Between(1, kLongestMs))
          .Fixed("top_score", &RefreshOptions::top_score, "a page with a higher score is a top page", 6,
                 Between(0, kScoreOne))
          .Duration("top_interval", &RefreshOptions::top_interval_ms, "longest interval of top pages",
                    Between(1, kLongestMs))
          .Int("settled_after", &RefreshOptions::settled_after,
               "a page's interval grows each time the page was unchanged N times in a row", Between(1, 1'000))
          .Int("settled_growth", &RefreshOptions::settled_growth,
               "factor by which settled_after makes the interval grow", Between(1, 100))
          .Duration("min_interval", &RefreshOptions::min_interval_ms, "shortest interval of any page",
                    Between(1, kLongestMs))
          .Main()
          .Duration("max_interval", &RefreshOptions::max_interval_ms, "longest interval of pages without a rule",
                    Between(1, kLongestMs))
          .Main()
          .Int("failing_rounds", &RefreshOptions::failing_rounds,
               "a page that fails in N rounds in a row counts as gone", Between(1, 1'000))
          .Main()
          .Duration("retry_interval", &RefreshOptions::retry_interval_ms,
                    "time until a page that failed is fetched again", Between(0, kLongestMs))
          .Duration("gone_interval", &RefreshOptions::gone_interval_ms,
                    "time until a page that is gone or was refused is tried again", Between(1, kLongestMs))
          .Duration("denied_interval", &RefreshOptions::denied_interval_ms,
                    "time until robots.txt is checked again for a page that it denies; at least robots.ttl",
                    Between(1, kLongestMs))
          .Must([](const RefreshOptions& options) {
            if (options.min_interval_ms > options.max_interval_ms) {
              return UsageError(
                  "--refresh.min_interval is longer than --refresh.max_interval; shorten the first or lengthen the "
                  "second");
            }
            return Status::OK();
          });
  return group;
}

int64_t WaitOf(const UrlRow& row) {
  const bool waits_longer = row.state == UrlState::kDuplicate && row.fixed_interval_ms == 0;
  return waits_longer ? 2 * row.interval_ms : row.interval_ms;
}

int64_t EndOfInterval(const IntervalStart& start, int64_t interval_ms, const RefreshOptions& options) {
  const int64_t minute_ms = start.round_ms - start.round_ms % kMinuteMs;
  const int64_t since_round_ms = start.round_ms > 0 ? std::max<int64_t>(start.answered_ms - minute_ms, 0) : 0;
  const int64_t shorter_ms = interval_ms - std::min(since_round_ms, interval_ms / 10);
  return start.answered_ms + std::max(shorter_ms, std::min(interval_ms, options.min_interval_ms));
}

int64_t LongestOf(const RefreshClass& refresh_class, const RefreshOptions& options) {
  return refresh_class.longest_ms > 0 ? refresh_class.longest_ms : options.max_interval_ms;
}

Result<std::string> ReadRefreshRules(const RefreshOptions& options) {
  constexpr int64_t kMaxBytes = 1 << 20;
  if (options.rules.empty()) return std::string();
  Result<std::string> text = ReadLocalFile(options.rules, kMaxBytes);
  if (!text.ok()) return UsageError("--refresh.rules ", text.status().message());
  return text;
}

// Rules, in this order:
//  1. A fetch that had content to compare with moves the change rate. It is the mean over the first four comparisons,
//     then three quarters of the old rate and one quarter of the new comparison.
//  2. If the operator has set an interval for this URL, that is the interval, whatever else is known.
//  3. Else a rate over often_rate makes the interval often_interval, and one over sometimes_rate sometimes_interval.
//  4. Else the first fetch makes it the first interval of the class, or start_interval where the class has none; a change
//     leaves it as it is, and after each settled_after fetches in a row without a change it is multiplied by
//     settled_growth. A class whose first interval is its longest has that one, whatever rules 3 and 4 say.
//  5. A score over top_score makes it at most top_interval.
//  6. It is at most the longest of the class, or max_interval where the page has no class, and at least min_interval.
void Reschedule(const RefreshOptions& options, const RefreshClass& refresh_class, bool is_first, bool has_changed,
                UrlRow* row) {
  if (is_first) {
    row->unchanged = 0;
  } else {
    const int64_t looks = std::clamp(row->fetches - 1, 1, kRateMemory);
    const int64_t look = has_changed ? kScoreOne : 0;
    row->change_rate = static_cast<int32_t>((row->change_rate * (looks - 1) + look) / looks);
    row->unchanged = has_changed ? 0 : row->unchanged + 1;
  }
  if (row->fixed_interval_ms > 0) {
    row->interval_ms = row->fixed_interval_ms;
    return;
  }
  const int64_t first_ms = refresh_class.first_ms > 0 ? refresh_class.first_ms : options.start_interval_ms;
  int64_t interval_ms = is_first || row->interval_ms <= 0 ? first_ms : row->interval_ms;
  const int64_t longest_ms = LongestOf(refresh_class, options);
  if (refresh_class.IsSteady()) {
    interval_ms = longest_ms;
  } else if (row->change_rate > options.often_rate) {
    interval_ms = options.often_interval_ms;
  } else if (row->change_rate > options.sometimes_rate) {
    interval_ms = options.sometimes_interval_ms;
  } else if (row->unchanged > 0 && row->unchanged % options.settled_after == 0) {
    interval_ms = interval_ms > longest_ms / options.settled_growth ? longest_ms : interval_ms * options.settled_growth;
  }
  if (row->score > options.top_score) interval_ms = std::min(interval_ms, options.top_interval_ms);
  row->interval_ms = std::max(std::min(interval_ms, longest_ms), options.min_interval_ms);
}

void LeaveTop(const RefreshOptions& options, int32_t before, UrlRow* row) {
  if (before <= options.top_score || row->score > options.top_score) return;
  const bool is_by_top = row->interval_ms > 0 && row->interval_ms <= options.top_interval_ms;
  if (row->kind != UrlKind::kPage || row->fixed_interval_ms > 0 || !is_by_top) return;
  row->interval_ms = std::max(options.start_interval_ms, row->interval_ms);
}

void EnterTop(const RefreshOptions& options, int32_t before, UrlRow* row) {
  if (before > options.top_score || row->score <= options.top_score) return;
  const bool has_interval =
      row->state == UrlState::kFetched || row->state == UrlState::kRedirected || row->state == UrlState::kDuplicate;
  if (row->kind != UrlKind::kPage || !has_interval || row->fixed_interval_ms > 0 || row->due_ms == kNever) return;
  const int64_t interval_ms = std::max(options.top_interval_ms, options.min_interval_ms);
  if (row->interval_ms <= interval_ms) return;
  row->interval_ms = interval_ms;
  if (row->due_set_ms == 0) row->due_ms = EndOfInterval({.answered_ms = row->fetched_ms}, WaitOf(*row), options);
}

bool IsWithinWindow(const UrlRow& before, int64_t fetched_ms) {
  return before.due_ms == kNever || fetched_ms - before.due_ms <= before.interval_ms;
}

}  // namespace trawl
