// A row of the robots table: the robots.txt of one scheme, host and port.
//
// Keyed by a URL key's host and origin: `com,example,www)` for https on 443, else `com,example,www)http:8080`.
#pragma once

#include <cstdint>
#include <string>

#include "formats/rows/row_codec.h"
#include "formats/rows/url_row.h"
#include "formats/tables/sidecar.h"

namespace trawl {

struct RobotsRow {
  static constexpr char kTable[] = "robots";
  static constexpr uint8_t kVersion = 1;

  std::string key;
  bool removed = false;
  Outcome outcome = Outcome::kNone;  // of the last request for it
  int32_t status = 0;
  int64_t fetched_ms = 0;
  int64_t due_ms = 0;
  int32_t failures = 0;  // times in a row that it could not be had
  std::string text;      // of the last good answer, cut to what RFC 9309 asks a crawler to read
  int64_t text_ms = 0;   // when that was
  std::string redirect_to;
  std::string history;  // the last decisions, one a line: time, outcome, status, reason

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("removed", row.removed);
    visit("outcome", row.outcome);
    visit("status", row.status);
    visit("fetched_ms", row.fetched_ms);
    visit("due_ms", row.due_ms);
    visit("failures", row.failures);
    visit("text", row.text, kBinary);
    visit("text_ms", row.text_ms);
    visit("redirect_to", row.redirect_to);
    visit("history", row.history);
  }

  bool operator==(const RobotsRow&) const = default;
};

inline SidecarEntry SidecarOf(const RobotsRow& row) { return {.state = row.removed ? uint8_t{0} : uint8_t{1}}; }

}  // namespace trawl
