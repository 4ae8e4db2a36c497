// A row of the seeds table: a host that has a seed. The crawl's scope is cut by these hosts, or by their domains.
//
// Keyed by the host part of a URL key: `com,example,www`.
#pragma once

#include <cstdint>
#include <string>

#include "formats/rows/row_codec.h"
#include "formats/tables/sidecar.h"

namespace trawl {

struct SeedHostRow {
  static constexpr char kTable[] = "seeds";
  static constexpr uint8_t kVersion = 1;

  std::string key;
  bool removed = false;
  int64_t added_ms = 0;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("removed", row.removed);
    visit("added_ms", row.added_ms);
  }

  bool operator==(const SeedHostRow&) const = default;
};

inline SidecarEntry SidecarOf(const SeedHostRow& row) { return {.state = row.removed ? uint8_t{0} : uint8_t{1}}; }

}  // namespace trawl
