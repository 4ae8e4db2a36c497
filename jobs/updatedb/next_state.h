// The crawl's state machine: the row of a URL after a round brought news of it. Pure; any thread.
//
// Start with NextState, whose rules are numbered at its definition; docs/states.md shows every state against every
// event. No rule leads to the state "duplicate": trawl settle makes it, and rules 25 and 26 keep or end it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "formats/rows/times.h"
#include "formats/rows/url_row.h"
#include "jobs/policy/settle_options.h"
#include "jobs/policy/sitemap_options.h"
#include "jobs/refresh/refresh_rules.h"
#include "jobs/updatedb/url_event.h"

namespace trawl {

struct StatePolicy {
  RefreshOptions refresh;
  const RefreshRules* classes = nullptr;  // outlives the policy; null: all pages are of the default class
  int64_t robots_ttl_ms = kDayMs;
  int64_t now_ms = 0;    // the plan's
  int64_t round_ms = 0;  // when the round began; 0: not known
  std::string segment;   // which has the round's bodies
  SitemapOptions sitemaps;
  NearPolicy near_policy = NearPolicy::kMark;
};

struct Transition {
  UrlEvent event = UrlEvent::kNone;
  // The row as it is from now on; nothing where it stays as it was. A tombstone for a sitemap that nobody named and that
  // is not there.
  std::optional<UrlRow> row;
  // Where a sitemap had said that the page has changed since its last fetch, and this fetch showed whether it has.
  std::optional<bool> lastmod_was_right;
};

// `row` is null for a URL that the crawl does not know, or that was removed. REQUIRES: the news are of the row's key.
Transition NextState(const UrlRow* row, const UrlNews& news, const StatePolicy& policy);

// Whether links may still change a row of that state: the page has not been asked for yet.
constexpr bool TakesLinks(UrlState state) { return state == UrlState::kUnfetched; }

}  // namespace trawl
