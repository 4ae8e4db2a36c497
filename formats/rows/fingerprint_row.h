// A row of the fingerprints table: the contents whose texts stand for near ones, findable by each quarter of their
// fingerprint, and which content is near which. jobs/settle/near.h says how they are searched.
//
// Keys, where b is the number of a quarter (0 the highest), hhhh its 16 bits, rrrrrrrrrrrr the other 48, and a content is
// the content digest in 64 hexadecimal digits:
//   bhhhh)rrrrrrrrrrrrdddddddddddddddd   a content that stands for near ones, once for each quarter; d: its first 16 digits
//   c<content>)                          the standing of a content that has a fingerprint
//   n<content>)<content>                 the second content is near the first, which stands for it
#pragma once

#include <cstdint>
#include <string>

#include "formats/rows/row_codec.h"
#include "formats/tables/sidecar.h"

namespace trawl {

struct FingerprintRow {
  static constexpr char kTable[] = "fingerprints";
  static constexpr uint8_t kVersion = 1;

  std::string key;
  bool removed = false;
  std::string content;  // of a quarter 0: the whole digest. Of a standing: the content that stands for it; empty: none
  int32_t distance = 0;
  // Of a standing: the fingerprint, the page that stands for the content, and its place in the order of representatives.
  int64_t simhash = 0;
  std::string page;
  std::string order;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("removed", row.removed);
    visit("content", row.content);
    visit("distance", row.distance);
    visit("simhash", row.simhash);
    visit("page", row.page);
    visit("order", row.order, kBinary);
  }

  bool operator==(const FingerprintRow&) const = default;
};

inline SidecarEntry SidecarOf(const FingerprintRow& row) { return {.state = row.removed ? uint8_t{0} : uint8_t{1}}; }

}  // namespace trawl
