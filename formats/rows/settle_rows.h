// What the jobs of trawl settle tell each other: runs that no snapshot names. Keys as in digest_row.h, so the rows come in
// the order of that table.
#pragma once

#include <cstdint>
#include <string>

#include "formats/rows/row_codec.h"
#include "formats/tables/sidecar.h"

namespace trawl {

// A content that came, went, or has another page standing for it.
struct SettledContentRow {
  static constexpr char kTable[] = "settle_contents";
  static constexpr uint8_t kVersion = 1;

  std::string key;  // the content and `)`
  bool removed = false;
  bool is_gone = false;  // no page has it any more
  std::string page;      // the key of the page that stands for it
  std::string order;     // of that page
  int64_t simhash = 0;   // 0: it is compared exactly only

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("removed", row.removed);
    visit("is_gone", row.is_gone);
    visit("page", row.page);
    visit("order", row.order, kBinary);
    visit("simhash", row.simhash);
  }

  bool operator==(const SettledContentRow&) const = default;
};

// What was decided of a page.
struct VerdictRow {
  static constexpr char kTable[] = "settle_verdicts";
  static constexpr uint8_t kVersion = 1;

  std::string key;  // the content, `)`, and the page's key
  bool removed = false;
  // Whether the row decides of exact likeness, or of near likeness.
  bool is_exact = false;
  bool is_near = false;
  std::string duplicate_of;       // key; empty: none
  std::string near_duplicate_of;  // key; empty: none
  int32_t distance = 0;
  // The place of the body of the page that stands for it, where it is the same byte for byte.
  std::string body_segment;
  std::string body_file;
  int64_t body_row = 0;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("removed", row.removed);
    visit("is_exact", row.is_exact);
    visit("is_near", row.is_near);
    visit("duplicate_of", row.duplicate_of);
    visit("near_duplicate_of", row.near_duplicate_of);
    visit("distance", row.distance);
    visit("body_segment", row.body_segment);
    visit("body_file", row.body_file);
    visit("body_row", row.body_row);
  }

  bool operator==(const VerdictRow&) const = default;
};

inline SidecarEntry SidecarOf(const SettledContentRow& row) { return {.state = row.removed ? uint8_t{0} : uint8_t{1}}; }
inline SidecarEntry SidecarOf(const VerdictRow& row) { return {.state = row.removed ? uint8_t{0} : uint8_t{1}}; }

}  // namespace trawl
