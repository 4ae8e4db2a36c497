// A row of a segment's held dataset: a domain that no other segment visits while this one is open.
#pragma once

#include <cstdint>
#include <string>

#include "formats/rows/row_codec.h"

namespace trawl {

struct HeldRow {
  static constexpr char kTable[] = "held";
  static constexpr uint8_t kVersion = 1;

  std::string key;   // the domain as the host part of a key: "com,example"
  int32_t list = 0;  // the fetch list that has all of its URLs
  int32_t hosts = 0;
  int64_t pages = 0;
  int64_t expected_ms = 0;  // how long its slowest host takes

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("list", row.list);
    visit("hosts", row.hosts);
    visit("pages", row.pages);
    visit("expected_ms", row.expected_ms);
  }

  bool operator==(const HeldRow&) const = default;
};

}  // namespace trawl
