// What becomes of a URL's row when a round brings news of it: the crawl's state machine. Pure; any thread.
//
// Start with NextState, whose rules are numbered at its definition; docs/states.md shows every state against every
// event. The state "duplicate" is reserved: no rule leads to it yet, and a row that has it is treated like a fetched
// one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "formats/rows/times.h"
#include "formats/rows/url_row.h"
#include "jobs/policy/refresh.h"
#include "jobs/updatedb/url_event.h"

namespace trawl {

struct StatePolicy {
  RefreshOptions refresh;
  const RefreshRules* classes = nullptr;  // outlives the policy; null: all pages are of the default class
  int64_t robots_ttl_ms = kDayMs;
  int64_t now_ms = 0;    // the plan's
  int64_t round_ms = 0;  // when the round began; 0: not known
  std::string segment;   // where the round's bodies lie
};

struct Transition {
  UrlEvent event = UrlEvent::kNone;
  // The row as it is from now on; nothing where it stays as it was.
  std::optional<UrlRow> row;
};

// `row` is null for a URL that the crawl does not know, or that was removed. REQUIRES: news of that key.
Transition NextState(const UrlRow* row, const UrlNews& news, const StatePolicy& policy);

// How long after the n-th failure in a row robots.txt is asked for again: 1 h, doubling up to 24 h.
int64_t RobotsDeferralMs(int32_t failures);

// Whether links to a row of that state may still change it: nobody has asked for the page yet.
constexpr bool TakesLinks(UrlState state) { return state == UrlState::kUnfetched; }

}  // namespace trawl
