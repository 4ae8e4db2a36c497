// Rows for other tools, as trawl export writes them: `url`, `host`, `domain`, states in words, real timestamps.
//
// A column here is never renamed; docs/storage.md lists them. Digests are hexadecimal text, since most tools show bytes
// badly.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "formats/rows/host_row.h"
#include "formats/rows/row_codec.h"
#include "formats/rows/url_row.h"

namespace trawl {

struct UrlExport {
  std::string url;
  std::string request_url;
  std::string host;
  std::string domain;
  std::string key;
  std::string kind;
  std::string state;
  std::string outcome;
  std::string reason;
  int32_t status = 0;
  int32_t depth = 0;
  bool is_seed = false;
  int32_t score_millionths = 0;
  int32_t inlinks = 0;
  int64_t due = 0;
  int64_t interval_ms = 0;
  int64_t discovered = 0;
  std::string via_url;
  int64_t fetched = 0;
  int64_t changed = 0;
  int32_t fetches = 0;
  int32_t retries = 0;
  int32_t unchanged = 0;
  int32_t change_rate_millionths = 0;
  int32_t response_ms = 0;
  std::string content_type;
  int64_t bytes = 0;
  std::string truncated;
  std::string etag;
  std::string last_modified;
  std::string body_sha256;
  std::string content_sha256;
  std::string redirect_url;
  std::string canonical_url;
  std::string metadata;
  std::string tier;  // empty: by rule
  bool fixed_score = false;
  int64_t fixed_interval_ms = 0;
  int64_t due_set = 0;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("url", row.url);
    visit("request_url", row.request_url);
    visit("host", row.host);
    visit("domain", row.domain);
    visit("key", row.key);
    visit("kind", row.kind);
    visit("state", row.state);
    visit("outcome", row.outcome);
    visit("reason", row.reason);
    visit("status", row.status);
    visit("depth", row.depth);
    visit("is_seed", row.is_seed, kFlag);
    visit("score_millionths", row.score_millionths);
    visit("inlinks", row.inlinks);
    visit("due", row.due, kTimestamp);
    visit("interval_ms", row.interval_ms);
    visit("discovered", row.discovered, kTimestamp);
    visit("via_url", row.via_url);
    visit("fetched", row.fetched, kTimestamp);
    visit("changed", row.changed, kTimestamp);
    visit("fetches", row.fetches);
    visit("retries", row.retries);
    visit("unchanged", row.unchanged);
    visit("change_rate_millionths", row.change_rate_millionths);
    visit("response_ms", row.response_ms);
    visit("content_type", row.content_type);
    visit("bytes", row.bytes);
    visit("truncated", row.truncated);
    visit("etag", row.etag);
    visit("last_modified", row.last_modified);
    visit("body_sha256", row.body_sha256);
    visit("content_sha256", row.content_sha256);
    visit("redirect_url", row.redirect_url);
    visit("canonical_url", row.canonical_url);
    visit("metadata", row.metadata);
    visit("tier", row.tier);
    visit("fixed_score", row.fixed_score, kFlag);
    visit("fixed_interval_ms", row.fixed_interval_ms);
    visit("due_set", row.due_set, kTimestamp);
  }
};

struct HostExport {
  std::string host;
  std::string domain;
  std::string key;
  bool blocked = false;
  int32_t delay_ms = 0;
  int32_t response_ms = 0;
  int64_t answered = 0;
  int64_t not_before = 0;
  int64_t pages = 0;
  int64_t bytes = 0;
  int64_t discovered = 0;
  int64_t fetched = 0;
  bool suspected_trap = false;
  std::string addresses;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("host", row.host);
    visit("domain", row.domain);
    visit("key", row.key);
    visit("blocked", row.blocked, kFlag);
    visit("delay_ms", row.delay_ms);
    visit("response_ms", row.response_ms);
    visit("answered", row.answered, kTimestamp);
    visit("not_before", row.not_before, kTimestamp);
    visit("pages", row.pages);
    visit("bytes", row.bytes);
    visit("discovered", row.discovered);
    visit("fetched", row.fetched);
    visit("suspected_trap", row.suspected_trap, kFlag);
    visit("addresses", row.addresses);
  }
};

// The row that export writes for a row of a table. A table without one is not exported.
template <typename Row>
struct Exported {
  using Type = void;
};
template <typename Row>
inline constexpr bool kIsExported = !std::is_void_v<typename Exported<Row>::Type>;

// Tables that are exported:
template <>
struct Exported<UrlRow> {
  using Type = UrlExport;
};
template <>
struct Exported<HostRow> {
  using Type = HostExport;
};

// These overwrite every field of `out`.
void ExportRow(const UrlRow& row, UrlExport* out);
void ExportRow(const HostRow& row, HostExport* out);

}  // namespace trawl
