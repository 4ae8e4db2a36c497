// A row of the hosts table: what the crawl knows about one host name, and what the operator decided about it.
//
// Its key is the host part of a URL key: `com,example,www`. The row of a registrable domain's name, `com,example`, also has
// what is known and decided about that domain with all its hosts, whether or not a host has that name.
#pragma once

#include <cstdint>
#include <string>

#include "formats/rows/row_codec.h"
#include "formats/tables/sidecar.h"

namespace trawl {

enum class BreakerState : int8_t { kClosed = 0, kOpen = 1, kHalfOpen = 2 };

// A registrable domain: limits of the operator, where zero means none, and counts over all its hosts.
struct DomainRecord {
  bool blocked = false;
  std::string operator_reason;
  int32_t operator_delay_ms = 0;  // for each of its hosts; a delay that is meant to be zero is stored as -1
  int64_t operator_pages_a_day = 0;
  int64_t operator_pages = 0;  // in all
  int64_t day_start_ms = 0;
  int64_t pages_today = 0;
  int64_t pages = 0;

  bool operator==(const DomainRecord&) const = default;
};

struct HostRow {
  static constexpr char kTable[] = "hosts";
  static constexpr uint8_t kVersion = 3;

  std::string key;
  bool removed = false;
  // The operator's decisions. Zero means no decision; a delay that is meant to be zero is stored as -1.
  bool blocked = false;
  int32_t operator_delay_ms = 0;
  int32_t operator_pages_a_day = 0;
  // Politeness, kept from round to round.
  int64_t answered_ms = 0;    // the time when the last answer ended
  int64_t not_before_ms = 0;  // a throttle or Retry-After forbids requests before this time
  int32_t response_ms = 0;    // smoothed
  int32_t delay_ms = 0;       // the delay in force at the last answer
  int32_t surcharge_ms = 0;
  int32_t throttle_factor = 0;  // the delay is doubled this many times
  int32_t good_answers = 0;     // since the last throttle
  // The requests and failures of the last hour, and the breaker that they open.
  int64_t window_start_ms = 0;
  int32_t window_requests = 0;
  int32_t window_failures = 0;
  int64_t slow_until_ms = 0;
  BreakerState breaker = BreakerState::kClosed;
  int64_t breaker_until_ms = 0;
  int32_t breaker_openings = 0;
  int32_t failures_in_a_row = 0;
  // Counts.
  int64_t day_start_ms = 0;
  int32_t pages_today = 0;
  int64_t pages = 0;
  int64_t bytes = 0;
  int64_t discovered = 0;
  int64_t fetched = 0;
  bool suspected_trap = false;
  bool trap_cleared = false;   // the operator cleared the trap
  std::string addresses;       // the last known addresses, separated by spaces
  int64_t linking_hosts = 0;   // other hosts with a link to it: distinct within a round, summed over rounds
  int64_t operator_pages = 0;  // the operator's limit of pages in all
  std::string operator_reason;
  int64_t discovered_ms = 0;  // when the crawl first saw the host; 0: earlier than that was noted
  // Of these pages, those that the segment in progress asked for. Zero in the table.
  int32_t round_pages_today = 0;
  int64_t round_pages = 0;
  DomainRecord domain;
  int64_t default_sitemap_ms = 0;  // when /sitemap.xml was last asked for without being named; 0: never
  // What its sitemaps stated, and how much of it was wrong, decayed.
  int32_t lastmods_checked = 0;
  int32_t lastmods_wrong = 0;
  int32_t priorities_stated = 0;
  int32_t priorities_top = 0;
  // The answer to a path that cannot exist (UrlKind::kProbe): when it was asked for last, and its fingerprints where its
  // status was 200.
  int64_t probe_ms = 0;
  std::string error_digest;
  int64_t error_simhash = 0;
  // New URLs of one day, for the limits of a suspected trap.
  int64_t discovered_day_ms = 0;
  int32_t discovered_today = 0;
  // The counts when the operator cleared the trap: it is judged by what came since.
  int64_t cleared_discovered = 0;
  int64_t cleared_fetched = 0;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("removed", row.removed);
    visit("blocked", row.blocked);
    visit("operator_delay_ms", row.operator_delay_ms);
    visit("operator_pages_a_day", row.operator_pages_a_day);
    visit("answered_ms", row.answered_ms);
    visit("not_before_ms", row.not_before_ms);
    visit("response_ms", row.response_ms);
    visit("delay_ms", row.delay_ms);
    visit("surcharge_ms", row.surcharge_ms);
    visit("throttle_factor", row.throttle_factor);
    visit("good_answers", row.good_answers);
    visit("window_start_ms", row.window_start_ms);
    visit("window_requests", row.window_requests);
    visit("window_failures", row.window_failures);
    visit("slow_until_ms", row.slow_until_ms);
    visit("breaker", row.breaker);
    visit("breaker_until_ms", row.breaker_until_ms);
    visit("breaker_openings", row.breaker_openings);
    visit("failures_in_a_row", row.failures_in_a_row);
    visit("day_start_ms", row.day_start_ms);
    visit("pages_today", row.pages_today);
    visit("pages", row.pages);
    visit("bytes", row.bytes);
    visit("discovered", row.discovered);
    visit("fetched", row.fetched);
    visit("suspected_trap", row.suspected_trap);
    visit("trap_cleared", row.trap_cleared);
    visit("addresses", row.addresses);
    visit("linking_hosts", row.linking_hosts);
    visit("operator_pages", row.operator_pages);
    visit("operator_reason", row.operator_reason);
    visit("discovered_ms", row.discovered_ms);
    visit("round_pages_today", row.round_pages_today);
    visit("round_pages", row.round_pages);
    visit("domain_blocked", row.domain.blocked);
    visit("domain_operator_reason", row.domain.operator_reason);
    visit("domain_operator_delay_ms", row.domain.operator_delay_ms);
    visit("domain_operator_pages_a_day", row.domain.operator_pages_a_day);
    visit("domain_operator_pages", row.domain.operator_pages);
    visit("domain_day_start_ms", row.domain.day_start_ms);
    visit("domain_pages_today", row.domain.pages_today);
    visit("domain_pages", row.domain.pages);
    visit("default_sitemap_ms", row.default_sitemap_ms);
    visit("lastmods_checked", row.lastmods_checked);
    visit("lastmods_wrong", row.lastmods_wrong);
    visit("priorities_stated", row.priorities_stated);
    visit("priorities_top", row.priorities_top);
    visit("probe_ms", row.probe_ms);
    visit("error_digest", row.error_digest, kBinary);
    visit("error_simhash", row.error_simhash);
    visit("discovered_day_ms", row.discovered_day_ms);
    visit("discovered_today", row.discovered_today);
    visit("cleared_discovered", row.cleared_discovered);
    visit("cleared_fetched", row.cleared_fetched);
  }

  bool operator==(const HostRow&) const = default;
};

// Whether the row says anything of a host. A row of which only the domain's part is set is no host that the crawl knows.
inline bool TellsOfHost(const HostRow& row) {
  HostRow host = row;
  host.key.clear();
  host.removed = false;
  host.domain = {};
  return !(host == HostRow());
}

inline SidecarEntry SidecarOf(const HostRow& row) { return {.state = row.removed ? uint8_t{0} : uint8_t{1}}; }

}  // namespace trawl
