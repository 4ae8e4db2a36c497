// Rows of generate: the domains that a segment holds, and what its two jobs exchange, what hosts could take and what they
// are given. The latter live only as long as that generate.
#pragma once

#include <cstdint>
#include <string>

#include "formats/rows/host_row.h"
#include "formats/rows/row_codec.h"

namespace trawl {

// A row of a segment's held dataset: a domain that no other segment visits while this segment is open.
struct HeldRow {
  static constexpr char kTable[] = "held";
  static constexpr uint8_t kVersion = 1;

  std::string key;   // the domain as the host part of a key: "com,example"
  int32_t list = 0;  // the fetch list that has all of its URLs
  int32_t hosts = 0;
  int64_t pages = 0;
  int64_t expected_ms = 0;  // the time that its slowest host needs

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

// A host with due URLs. Candidates name it by its row's number among the files of one task.
struct CandidateHostRow {
  static constexpr char kTable[] = "candidate_hosts";
  static constexpr uint8_t kVersion = 1;

  std::string key;     // host part
  int64_t domain = 0;  // hash of the domain that holds the host
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

// Due URLs that their hosts could take, many in one row, each task's from best to worst. Each has a rank (8 and 8
// bytes) and a host (4), little-endian. As numbers in columns they would cost ORC ten times as much, because hashes do
// not compress.
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

// A registrable domain that the round leaves out, or that has a delay of its own.
struct LimitedDomainRow {
  static constexpr char kTable[] = "limited_domains";
  static constexpr uint8_t kVersion = 1;

  int64_t domain = 0;    // hash of the domain
  int32_t left_out = 0;  // a LeftOut
  int64_t until_ms = 0;
  int32_t delay_ms = 0;  // as DomainRecord has it

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("domain", row.domain);
    visit("left_out", row.left_out);
    visit("until_ms", row.until_ms);
    visit("delay_ms", row.delay_ms);
  }
  bool operator==(const LimitedDomainRow&) const = default;
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
  DomainRecord domain;  // with the limits that are in force

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("list", row.list);
    visit("rank_high", row.rank_high);
    visit("rank_low", row.rank_low);
    visit("page_ms", row.page_ms);
    visit("wait_ms", row.wait_ms);
    visit("domain_delay_ms", row.domain.operator_delay_ms);
    visit("domain_pages_a_day", row.domain.operator_pages_a_day);
    visit("domain_most_pages", row.domain.operator_pages);
    visit("domain_day_start_ms", row.domain.day_start_ms);
    visit("domain_pages_today", row.domain.pages_today);
    visit("domain_pages", row.domain.pages);
  }
  bool operator==(const ChosenHostRow&) const = default;
};

}  // namespace trawl
