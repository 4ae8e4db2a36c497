// Rows of what trawl settle knows: the tables digests, fingerprints and patterns, and what its jobs tell each other.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "formats/rows/row_codec.h"
#include "formats/tables/sidecar.h"

namespace trawl {

// A row of the digests table: the pages that have the same cleaned content, as trawl settle knows them.
//
// A content is the content digest in 64 hexadecimal digits. The key of a page of it is `5f0c…e1)com,example)/a`. Where a
// content has several pages, `5f0c…e1)` is the key of its head. All rows of a content lie together, the head first.
struct DigestRow {
  static constexpr char kTable[] = "digests";
  static constexpr uint8_t kVersion = 2;

  std::string key;
  bool removed = false;
  // Of a head: the key of the page that stands for the others, the number of pages, and the sorted hashes (8 bytes each)
  // of the canonical targets that pages of it name.
  std::string representative;
  int64_t pages = 0;
  std::string named;
  // Of a page: its place in the order of representatives (jobs/settle/representative.h), and what others take from it.
  std::string order;
  std::string canonical_to;  // key
  int64_t simhash = 0;
  std::string body_digest;
  std::string body_segment;
  std::string body_file;
  int64_t body_row = 0;
  int64_t bytes = 0;
  std::string text_sketch;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("removed", row.removed);
    visit("representative", row.representative);
    visit("pages", row.pages);
    visit("named", row.named, kBinary);
    visit("order", row.order, kBinary);
    visit("canonical_to", row.canonical_to);
    visit("simhash", row.simhash);
    visit("body_digest", row.body_digest, kBinary);
    visit("body_segment", row.body_segment);
    visit("body_file", row.body_file);
    visit("body_row", row.body_row);
    visit("bytes", row.bytes);
    visit("text_sketch", row.text_sketch, kBinary);
  }

  bool operator==(const DigestRow&) const = default;
};

inline SidecarEntry SidecarOf(const DigestRow& row) { return {.state = row.removed ? uint8_t{0} : uint8_t{1}}; }

// The two parts of such a key, and of the keys of settle_rows.h. `page` is empty for a head.
struct ContentPlace {
  std::string_view content;
  std::string_view page;
};
inline ContentPlace ContentPlaceOf(std::string_view key) {
  const size_t at = key.find(')');
  return at == std::string_view::npos ? ContentPlace{key, {}} : ContentPlace{key.substr(0, at), key.substr(at + 1)};
}

// A row of the fingerprints table: the contents whose texts stand for near ones, findable by each quarter of their
// fingerprint, and which content is near which (jobs/near/rows.h). Keys, where a content is the content digest in 64
// hexadecimal digits, b the number of a quarter (0 the highest), hhhh its 16 bits and rrrrrrrrrrrr the other 48:
//   <content>)                           the standing of a content that has a fingerprint
//   <content>)<content>                  the second content is near the first, which stands for it
//   bhhhh)rrrrrrrrrrrrdddddddddddddddd   a content that stands for near ones, once for each quarter; d: its first 16 digits
struct FingerprintRow {
  static constexpr char kTable[] = "fingerprints";
  static constexpr uint8_t kVersion = 2;

  std::string key;
  bool removed = false;
  // Of a standing: the content that stands for it; empty: it stands itself. Of a quarter 0: the whole digest.
  std::string content;
  int32_t distance = 0;  // to the content that stands for it
  int64_t simhash = 0;   // not of a quarter, whose key has it
  // The page that stands for the content, and its place in the order of representatives; not of the quarters 1 to 3.
  std::string page;
  std::string order;
  std::string text_sketch;  // (formats/digests/text_sketch.h); not of the quarters 1 to 3; empty: none

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("removed", row.removed);
    visit("content", row.content);
    visit("distance", row.distance);
    visit("simhash", row.simhash);
    visit("page", row.page);
    visit("order", row.order, kBinary);
    visit("text_sketch", row.text_sketch, kBinary);
  }

  bool operator==(const FingerprintRow&) const = default;
};

// A search reads sidecars before it reads rows: that of a quarter has the uppermost 30 bits of the other 48 (8 in depth, 16
// in inlinks, 6 in state above 64).
inline constexpr int kSidecarFingerprintBits = 30;
inline constexpr uint8_t kQuarterState = 64;
inline constexpr size_t kQuarterKeyBytes = 34;

inline SidecarEntry SidecarOf(const FingerprintRow& row) {
  if (row.removed) return {.state = 0};
  if (row.key.size() != kQuarterKeyBytes || row.key[5] != ')') return {.state = 1};
  uint32_t bits = 0;  // the first 8 of the 12 digits
  const char* const digits = row.key.data() + 6;
  std::from_chars(digits, digits + 8, bits, 16);
  return {.state = static_cast<uint8_t>(kQuarterState | (bits >> 2 & 63)),
          .depth = static_cast<uint8_t>(bits >> 24),
          .inlinks = static_cast<uint16_t>(bits >> 8)};
}

// A row of the patterns table: what the pages of one form on one host have yielded. trawl settle writes it, generate reads
// it.
//
// The key is the host part, `)`, and the pattern: the scheme and port where unusual, the path with `#` in the place of
// numbers, dates, hashes and ids, and the names of the parameters: `com,example)/calendar/#/#?day&month`.
struct PatternRow {
  static constexpr char kTable[] = "patterns";
  static constexpr uint8_t kVersion = 1;

  std::string key;
  bool removed = false;
  // Thousandths of pages, for old counts weigh less and less (jobs/yields/yield.h).
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
  bool is_ignored = false;   // always false: nothing sets or reads it, but its column keeps its place
  // Pages that count as new, but whose text is like that of others of the pattern (jobs/yields/likeness.h): thousandths.
  int64_t likes = 0;
  std::string sample;  // fingerprints of texts of the pattern, 8 bytes each
  int32_t spread = 0;  // how many bits two of them differ in, on average: tenths; 0: not known

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
    visit("likes", row.likes);
    visit("sample", row.sample, kBinary);
    visit("spread", row.spread);
  }

  bool operator==(const PatternRow&) const = default;
};

inline SidecarEntry SidecarOf(const PatternRow& row) { return {.state = row.removed ? uint8_t{0} : uint8_t{1}}; }

// What the jobs of trawl settle tell each other: runs that no snapshot names. Keys as in digests, so the rows come in the
// order of that table.

// A content that came, went, or has another page standing for it.
struct SettledContentRow {
  static constexpr char kTable[] = "settle_contents";
  static constexpr uint8_t kVersion = 2;

  std::string key;  // the content and `)`
  bool removed = false;
  bool is_gone = false;  // no page has it any more
  std::string page;      // the key of the page that stands for it
  std::string order;     // of that page
  int64_t simhash = 0;   // 0: it is compared exactly only
  std::string text_sketch;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("removed", row.removed);
    visit("is_gone", row.is_gone);
    visit("page", row.page);
    visit("order", row.order, kBinary);
    visit("simhash", row.simhash);
    visit("text_sketch", row.text_sketch, kBinary);
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
