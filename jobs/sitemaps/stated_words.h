// What sitemaps and feeds say of a page, and how its row takes it. Pure; any thread.
//
// Whether a host's words count at all is for the caller to ask (jobs/policy/sitemap_options.h). docs/states.md, "What a
// sitemap says", has the whole.
#pragma once

#include <cstdint>

#include "formats/rows/url_row.h"
#include "jobs/refresh/refresh.h"

namespace trawl {

// Zero: nothing is said.
struct StatedWords {
  int32_t priority = 0;  // as UrlRow::stated_priority
  int64_t interval_ms = 0;
  int64_t lastmod_ms = 0;

  // The highest priority, the shortest interval and the latest date, whatever the order.
  void Fold(const StatedWords& other);
  bool operator==(const StatedWords&) const = default;
};

// Writes the words of the sitemaps of a round into the row: beside those of earlier rounds where the page was never asked
// for (`is_waiting`), else in their place.
void TakeStatedWords(StatedWords words, bool is_waiting, UrlRow* row);

// A date after the last fetch makes a page that has answered before due now, but for what the operator set. A date that is
// still to come says nothing. Whether that changes the row.
bool TakeStatedDate(int64_t lastmod_ms, int64_t now_ms, UrlRow* row);

// The stated interval, after Reschedule: it is the one after the first fetch. Where the page has not changed by the
// second, the word was wrong, and the page goes on as if there had been none.
void TakeStatedInterval(const RefreshOptions& options, const RefreshClass& refresh_class, bool is_first,
                        bool has_changed, UrlRow* row);

}  // namespace trawl
