// A row of the robots table: the robots.txt of one scheme, host and port.
//
// Its key is the host and origin of a URL key: `com,example,www)` for https on 443, else `com,example,www)http:8080`.
#pragma once

#include <cstdint>
#include <string>

#include "formats/rows/row_codec.h"
#include "formats/rows/url_row.h"
#include "formats/tables/sidecar.h"

namespace trawl {

// A request for a robots.txt and its answer, as an archive tells of them.
struct RobotsCapture {
  std::string url;
  int64_t began_ms = 0;  // 0: nothing was asked
  std::string address;
  std::string http_version;  // "1.1", "2"
  std::string tls_version;
  std::string request_headers;   // raw
  std::string response_headers;  // raw
  std::string kept_codings;      // content codings that the text still has
  int64_t wire_bytes = 0;        // size of the body before decoding, kept or not
  Truncation truncated = Truncation::kNone;

  template <typename Capture, typename Visit>
  static constexpr void VisitFields(Capture& capture, Visit&& visit) {
    visit("url", capture.url);
    visit("began_ms", capture.began_ms);
    visit("address", capture.address);
    visit("http_version", capture.http_version);
    visit("tls_version", capture.tls_version);
    visit("request_headers", capture.request_headers, kBinary);
    visit("response_headers", capture.response_headers, kBinary);
    visit("kept_codings", capture.kept_codings);
    visit("wire_bytes", capture.wire_bytes);
    visit("truncated", capture.truncated);
  }

  bool operator==(const RobotsCapture&) const = default;
};

struct RobotsRow {
  static constexpr char kTable[] = "robots";
  static constexpr uint8_t kVersion = 4;

  std::string key;
  bool removed = false;
  Outcome outcome = Outcome::kNone;  // outcome of the last request for robots.txt
  int32_t status = 0;
  int64_t fetched_ms = 0;
  int64_t due_ms = 0;
  int32_t failures = 0;  // consecutive failures to get it
  std::string text;      // the last good answer, cut to the size that RFC 9309 asks a crawler to read
  int64_t text_ms = 0;   // the time of that answer
  std::string redirect_to;
  std::string history;  // the last decisions, one per line: time, outcome, status, reason
  // The last request found nobody there: the host has no name, or refuses connections.
  bool is_dead = false;
  int32_t dead_rounds = 0;  // rounds that found nobody there, since the host answered last
  // The last request and its answer, after all redirects, and the answers that led there (RobotsHopsOf). A request that
  // serves several origins stands in the row of one of them. They stand in a segment's rows only: updatedb leaves them
  // out of the table.
  RobotsCapture capture;
  std::string hops;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("removed", row.removed);
    visit("outcome", row.outcome);
    visit("status", row.status);
    visit("fetched_ms", row.fetched_ms);
    visit("due_ms", row.due_ms);
    visit("failures", row.failures);
    visit("text", row.text, kBinary);
    visit("text_ms", row.text_ms);
    visit("redirect_to", row.redirect_to);
    visit("history", row.history);
    visit("is_dead", row.is_dead);
    visit("dead_rounds", row.dead_rounds);
    RobotsCapture::VisitFields(row.capture, visit);
    visit("hops", row.hops, kBinary);
  }

  bool operator==(const RobotsRow&) const = default;
};

inline SidecarEntry SidecarOf(const RobotsRow& row) { return {.state = row.removed ? uint8_t{0} : uint8_t{1}}; }

}  // namespace trawl
