// Rows by which generate's two jobs speak with each other: what hosts could take, and what they are given. They live as
// long as that generate.
#pragma once

#include <cstdint>
#include <string>

#include "formats/rows/row_codec.h"

namespace trawl {

// A host with due URLs. Candidates name it by the number of its row among the files of one task.
struct CandidateHostRow {
  static constexpr char kTable[] = "candidate_hosts";
  static constexpr uint8_t kVersion = 1;

  std::string key;     // host part
  int64_t domain = 0;  // hash of the domain that holds it
  int64_t page_ms = 0;
  int64_t wait_ms = 0;
  int64_t page_bytes = 0;
  bool slow = false;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("domain", row.domain);
    visit("page_ms", row.page_ms);
    visit("wait_ms", row.wait_ms);
    visit("page_bytes", row.page_bytes);
    visit("slow", row.slow);
  }
  bool operator==(const CandidateHostRow&) const = default;
};

// Due URLs that their hosts could take, many to a row, a task's from the best to the worst: rank (8 and 8 bytes) and
// host (4), little-endian, each. As numbers in columns of their own they would cost ORC ten times as much, and hashes
// do not shrink.
struct CandidatesRow {
  static constexpr char kTable[] = "candidates";
  static constexpr uint8_t kVersion = 1;

  std::string candidates;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("candidates", row.candidates, kBinary);
  }
  bool operator==(const CandidatesRow&) const = default;
};

// A host of the round: all its candidates up to a rank go to a list.
struct ChosenHostRow {
  static constexpr char kTable[] = "chosen_hosts";
  static constexpr uint8_t kVersion = 1;

  std::string key;
  int32_t list = 0;
  int64_t rank_high = 0;
  int64_t rank_low = 0;
  int64_t page_ms = 0;
  int64_t wait_ms = 0;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("list", row.list);
    visit("rank_high", row.rank_high);
    visit("rank_low", row.rank_low);
    visit("page_ms", row.page_ms);
    visit("wait_ms", row.wait_ms);
  }
  bool operator==(const ChosenHostRow&) const = default;
};

}  // namespace trawl
