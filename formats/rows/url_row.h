// A row of the urls table: all that the crawl knows of one URL. docs/storage.md shows it by example.
//
// Enumerations are numbered for ever: a number is never given another meaning.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/rows/outcome.h"
#include "formats/rows/row_codec.h"
#include "formats/rows/times.h"
#include "formats/tables/sidecar.h"

namespace trawl {

enum class UrlKind : int8_t { kPage = 1, kSitemap = 2, kFeed = 3 };

enum class UrlState : int8_t {
  kNone = 0,  // of a tombstone
  kUnfetched = 1,
  kFetched = 2,
  kRedirected = 3,
  kFailing = 4,  // will be retried
  kGone = 5,
  kDenied = 6,   // by robots.txt
  kRefused = 7,  // by scope, type, address or a limit
  kDuplicate = 8,
};

// "unfetched", "page"; the empty text for 0, and "unknown-77" for a number that this program does not know.
std::string TextOf(UrlKind kind);
std::string TextOf(UrlState state);

struct UrlRow {
  static constexpr char kTable[] = "urls";
  static constexpr uint8_t kVersion = 1;

  std::string key;
  bool removed = false;  // a tombstone: the key is not in the crawl
  std::string spelling;  // what a request asks for; empty: the URL that the key stands for
  UrlKind kind = UrlKind::kPage;
  UrlState state = UrlState::kUnfetched;
  Outcome outcome = Outcome::kNone;  // of the last request
  std::string reason;                // the outcome's detail, in words
  int64_t due_ms = 0;                // when it may be asked next; kNever: not again
  int64_t interval_ms = 0;
  int64_t fixed_interval_ms = 0;  // the operator's own interval for this URL; 0: adaptive
  int64_t discovered_ms = 0;
  std::string via;  // key of the page that showed it first; empty for a seed
  int32_t depth = 0;
  bool is_seed = false;
  int64_t fetched_ms = 0;  // last request that counted
  int64_t changed_ms = 0;  // last time its content was new
  int32_t status = 0;
  int32_t fetches = 0;
  int32_t retries = 0;
  int32_t unchanged = 0;    // times in a row that its content was not new
  int32_t change_rate = 0;  // millionths
  int32_t response_ms = 0;
  std::string content_type;
  int64_t bytes = 0;  // of the decoded body
  Truncation truncated = Truncation::kNone;
  std::string etag;            // as received
  std::string last_modified;   // as received
  std::string body_digest;     // SHA-256 of the decoded body
  std::string content_digest;  // SHA-256 of the cleaned page
  std::string body_segment;    // where its latest body lies: segment, file and row
  std::string body_file;
  int64_t body_row = 0;
  std::string redirect_to;   // key
  std::string canonical_to;  // key
  int32_t score = 0;         // millionths
  int32_t inlinks = 0;
  int32_t parser = 0;    // version of the parser that read it last; 0: never parsed
  std::string metadata;  // of the seed: key=value lines, sorted

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("removed", row.removed);
    visit("spelling", row.spelling);
    visit("kind", row.kind);
    visit("state", row.state);
    visit("outcome", row.outcome);
    visit("reason", row.reason);
    visit("due_ms", row.due_ms);
    visit("interval_ms", row.interval_ms);
    visit("fixed_interval_ms", row.fixed_interval_ms);
    visit("discovered_ms", row.discovered_ms);
    visit("via", row.via);
    visit("depth", row.depth);
    visit("is_seed", row.is_seed);
    visit("fetched_ms", row.fetched_ms);
    visit("changed_ms", row.changed_ms);
    visit("status", row.status);
    visit("fetches", row.fetches);
    visit("retries", row.retries);
    visit("unchanged", row.unchanged);
    visit("change_rate", row.change_rate);
    visit("response_ms", row.response_ms);
    visit("content_type", row.content_type);
    visit("bytes", row.bytes);
    visit("truncated", row.truncated);
    visit("etag", row.etag, kBinary);
    visit("last_modified", row.last_modified, kBinary);
    visit("body_digest", row.body_digest, kBinary);
    visit("content_digest", row.content_digest, kBinary);
    visit("body_segment", row.body_segment);
    visit("body_file", row.body_file);
    visit("body_row", row.body_row);
    visit("redirect_to", row.redirect_to);
    visit("canonical_to", row.canonical_to);
    visit("score", row.score);
    visit("inlinks", row.inlinks);
    visit("parser", row.parser);
    visit("metadata", row.metadata);
  }

  bool operator==(const UrlRow&) const = default;
};

inline constexpr int32_t kScoreOne = 1'000'000;

// Whether the row holds no more than a link gives a URL, and its links since: an unfetched page of which only spelling,
// via, discovery, depth, inlinks and score need to be known. Most of a frontier is so.
bool IsPlainLink(const UrlRow& row);

// The URL that a request for the row asks.
std::string RequestUrl(const UrlRow& row);

// The sidecar's view of a row: its state (0: a tombstone), depth and inlinks, the latter as far as they fit. Of a plain
// row they are exact.
inline SidecarEntry SidecarOf(const UrlRow& row) {
  const auto capped = [](int32_t value, int32_t most) { return value < 0 ? 0 : value > most ? most : value; };
  return {.state = row.removed ? uint8_t{0} : static_cast<uint8_t>(capped(static_cast<int32_t>(row.state), INT8_MAX)),
          .depth = static_cast<uint8_t>(capped(row.depth, UINT8_MAX)),
          .inlinks = static_cast<uint16_t>(capped(row.inlinks, UINT16_MAX)),
          .plain = IsPlainLink(row)};
}

}  // namespace trawl
