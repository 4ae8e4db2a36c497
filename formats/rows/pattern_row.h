// A row of the patterns table: what the pages of one form on one host have yielded. trawl settle writes it, generate reads
// it.
//
// The key is the host part, `)`, and the pattern: the scheme and port where unusual, the path with `#` in the place of
// numbers, dates, hashes and ids, and the names of the parameters: `com,example)/calendar/#/#?day&month`.
#pragma once

#include <cstdint>
#include <string>

#include "formats/rows/row_codec.h"
#include "formats/tables/sidecar.h"

namespace trawl {

struct PatternRow {
  static constexpr char kTable[] = "patterns";
  static constexpr uint8_t kVersion = 1;

  std::string key;
  bool removed = false;
  // Thousandths of pages, for old counts weigh less and less (jobs/settle/yield.h).
  int64_t fetched = 0;
  int64_t fresh = 0;  // whose content was new to the crawl
  int64_t duplicates = 0;
  int64_t near_duplicates = 0;
  int64_t soft_errors = 0;  // status 200, and what the host answers to a path that cannot exist
  int64_t links = 0;        // URLs that entered the crawl by links of its pages
  int64_t counted_ms = 0;   // when they were counted last
  // How many of its pages a round may take; -1: as many as it likes. 0 is not used: one is always tried.
  int32_t budget = -1;
  int64_t fetched_ever = 0;  // pages, not thousandths
  bool is_ignored = false;   // the operator cleared it: it has no budget

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("removed", row.removed);
    visit("fetched", row.fetched);
    visit("fresh", row.fresh);
    visit("duplicates", row.duplicates);
    visit("near_duplicates", row.near_duplicates);
    visit("soft_errors", row.soft_errors);
    visit("links", row.links);
    visit("counted_ms", row.counted_ms);
    visit("budget", row.budget);
    visit("fetched_ever", row.fetched_ever);
    visit("is_ignored", row.is_ignored);
  }

  bool operator==(const PatternRow&) const = default;
};

inline SidecarEntry SidecarOf(const PatternRow& row) { return {.state = row.removed ? uint8_t{0} : uint8_t{1}}; }

}  // namespace trawl
