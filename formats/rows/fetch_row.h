// A row of a segment's fetch dataset: the outcome of one URL in this segment. docs/storage.md shows an example.
//
// A URL that was requested again within the round has several rows; the latest one counts (IsLater). A URL of the list
// without a row was not reached.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "formats/rows/row_codec.h"
#include "formats/rows/url_row.h"

namespace trawl {

struct FetchRow {
  static constexpr char kTable[] = "fetch";
  static constexpr uint8_t kVersion = 4;

  std::string key;
  std::string url;  // as it was requested
  // Codec bytes of the urls row that the fetch list had; empty for a URL that was found as a redirect's target.
  std::string listed;
  UrlKind kind = UrlKind::kPage;
  Outcome outcome = Outcome::kNone;
  std::string reason;  // the outcome's detail, in words
  int32_t status = 0;
  int64_t fetched_ms = 0;    // the time when the answer ended
  int32_t requests = 0;      // for this URL in this segment, including this one
  bool blameless = false;    // our own machine's fault: it counts against no host
  bool conditional = false;  // requested with validators
  // The time from the beginning to the end of each stage. -1 means not reached or not needed.
  int32_t dns_ms = -1;
  int32_t connect_ms = -1;
  int32_t tls_ms = -1;
  int32_t first_byte_ms = -1;
  int32_t total_ms = 0;
  std::string address;
  std::string request_headers;   // raw, without body
  std::string response_headers;  // raw
  std::string content_type;
  int64_t wire_bytes = 0;
  int64_t bytes = 0;  // decoded
  Truncation truncated = Truncation::kNone;
  std::string kept_codings;  // content codings that the body still has
  std::string etag;
  std::string last_modified;
  std::string body_digest;
  std::string content_file;  // the file of this segment's content that has the body; empty: the body was not stored
  int64_t content_row = 0;
  std::string redirect_to;     // key
  std::string redirect_url;    // its spelling
  std::string hop_of;          // key of the URL whose redirect led here
  int32_t hops = 0;            // the number of redirects from the URL of the list to this one
  int64_t retry_after_ms = 0;  // the host asked us to wait until this time
  int32_t robots_line = 0;     // the line that decided; 0: none
  std::string robots_rule;     // that line's text, or the reason why robots.txt could not be asked
  int32_t depth = 0;
  int32_t score = 0;
  int64_t began_ms = 0;      // the time when the request was begun; 0: nothing was asked
  std::string http_version;  // of the answer: "1.0", "1.1", "2"; empty: there was none
  std::string tls_version;   // "TLSv1.3"; empty: no TLS
  bool shares_body = false;  // the same bytes were stored for another URL of the list: the place is theirs
  std::string body_sha1;     // of the body of a fetched URL, beside body_digest: archives name bodies by it

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("url", row.url);
    visit("listed", row.listed, kBinary);
    visit("kind", row.kind);
    visit("outcome", row.outcome);
    visit("reason", row.reason);
    visit("status", row.status);
    visit("fetched_ms", row.fetched_ms);
    visit("requests", row.requests);
    visit("blameless", row.blameless);
    visit("conditional", row.conditional);
    visit("dns_ms", row.dns_ms);
    visit("connect_ms", row.connect_ms);
    visit("tls_ms", row.tls_ms);
    visit("first_byte_ms", row.first_byte_ms);
    visit("total_ms", row.total_ms);
    visit("address", row.address);
    visit("request_headers", row.request_headers, kBinary);
    visit("response_headers", row.response_headers, kBinary);
    visit("content_type", row.content_type);
    visit("wire_bytes", row.wire_bytes);
    visit("bytes", row.bytes);
    visit("truncated", row.truncated);
    visit("kept_codings", row.kept_codings);
    visit("etag", row.etag, kBinary);
    visit("last_modified", row.last_modified, kBinary);
    visit("body_digest", row.body_digest, kBinary);
    visit("content_file", row.content_file);
    visit("content_row", row.content_row);
    visit("redirect_to", row.redirect_to);
    visit("redirect_url", row.redirect_url);
    visit("hop_of", row.hop_of);
    visit("hops", row.hops);
    visit("retry_after_ms", row.retry_after_ms);
    visit("robots_line", row.robots_line);
    visit("robots_rule", row.robots_rule);
    visit("depth", row.depth);
    visit("score", row.score);
    visit("began_ms", row.began_ms);
    visit("http_version", row.http_version);
    visit("tls_version", row.tls_version);
    visit("shares_body", row.shares_body);
    visit("body_sha1", row.body_sha1, kBinary);
  }

  bool operator==(const FetchRow&) const = default;
};

// When a row was written, among the rows of its URL: by the end of the answer, then by the number of the request.
struct FetchOrder {
  int64_t fetched_ms = 0;
  int32_t requests = 0;
  auto operator<=>(const FetchOrder&) const = default;
};

// Whether `a` counts and `b`, of the same URL in the same segment, does not. Of rows that are neither later nor
// earlier than each other the one that was read first counts.
inline bool IsLater(const FetchOrder& a, const FetchOrder& b) { return a > b; }
inline bool IsLater(const FetchRow& a, const FetchRow& b) {
  return IsLater(FetchOrder{a.fetched_ms, a.requests}, FetchOrder{b.fetched_ms, b.requests});
}

}  // namespace trawl
