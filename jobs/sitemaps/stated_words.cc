#include "jobs/sitemaps/stated_words.h"

#include <algorithm>

#include "formats/rows/times.h"

namespace trawl {

void StatedWords::Fold(const StatedWords& other) {
  priority = std::max(priority, other.priority);
  if (interval_ms == 0 || (other.interval_ms > 0 && other.interval_ms < interval_ms)) interval_ms = other.interval_ms;
  lastmod_ms = std::max(lastmod_ms, other.lastmod_ms);
}

void TakeStatedWords(StatedWords words, bool is_waiting, UrlRow* row) {
  if (is_waiting) words.Fold({row->stated_priority, row->stated_interval_ms, row->stated_lastmod_ms});
  row->stated_priority = words.priority;
  row->stated_interval_ms = words.interval_ms;
  row->stated_lastmod_ms = words.lastmod_ms;
}

bool TakeStatedDate(int64_t lastmod_ms, int64_t now_ms, UrlRow* row) {
  const bool is_news = row->fetched_ms > 0 && lastmod_ms > row->fetched_ms && lastmod_ms <= now_ms + kDayMs;
  const bool may_change = row->state == UrlState::kFetched || row->state == UrlState::kDuplicate ||
                          row->state == UrlState::kRedirected || row->state == UrlState::kFailing ||
                          row->state == UrlState::kGone;
  const bool is_operators = row->due_set_ms > 0 || row->fixed_interval_ms > 0;
  if (!is_news || !may_change || is_operators || row->due_ms == kNever || row->due_ms <= now_ms) return false;
  row->due_ms = now_ms;
  row->stated_lastmod_ms = lastmod_ms;
  return true;
}

void TakeStatedInterval(const RefreshOptions& options, const RefreshClass& refresh_class, bool is_first,
                        bool has_changed, UrlRow* row) {
  if (row->stated_interval_ms == 0 || refresh_class.first_ms > 0) return;
  int64_t longest_ms = LongestOf(refresh_class, options);
  if (row->score > options.top_score) longest_ms = std::min(longest_ms, options.top_interval_ms);
  int64_t interval_ms = row->interval_ms;
  if (is_first) {
    interval_ms = row->stated_interval_ms;
  } else if (!has_changed && row->unchanged == 1 && row->change_rate == 0) {
    interval_ms = std::max(interval_ms, options.start_interval_ms);
  }
  row->interval_ms = std::max(std::min(interval_ms, longest_ms), options.min_interval_ms);
}

}  // namespace trawl
