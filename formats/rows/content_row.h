// A row of a segment's content dataset: a body, and the facts that parsing it needs. docs/storage.md shows an example.
#pragma once

#include <cstdint>
#include <string>

#include "formats/rows/row_codec.h"
#include "formats/rows/url_row.h"

namespace trawl {

struct ContentRow {
  static constexpr char kTable[] = "content";
  static constexpr uint8_t kVersion = 2;
  // The number of rows to read at once: a batch is in memory whole, and a body may have 50 MiB. The cost of small
  // batches is too small to measure.
  static constexpr int64_t kBatchRows = 1;

  std::string key;
  std::string url;  // as it was requested: the base of its links
  UrlKind kind = UrlKind::kPage;
  int64_t fetched_ms = 0;
  std::string content_type;
  std::string headers;  // raw headers of the answer
  std::string body;     // decoded, except for the codings in kept_codings
  std::string body_digest;
  std::string kept_codings;
  Truncation truncated = Truncation::kNone;
  int32_t depth = 0;
  int32_t score = 0;
  bool first_parse = false;  // no page of this URL was parsed before, so its links count as inlinks
  int64_t began_ms = 0;      // the time when the request was begun

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("url", row.url);
    visit("kind", row.kind);
    visit("fetched_ms", row.fetched_ms);
    visit("content_type", row.content_type);
    visit("headers", row.headers, kBinary);
    visit("body", row.body, kBinary);
    visit("body_digest", row.body_digest, kBinary);
    visit("kept_codings", row.kept_codings);
    visit("truncated", row.truncated);
    visit("depth", row.depth);
    visit("score", row.score);
    visit("first_parse", row.first_parse);
    visit("began_ms", row.began_ms);
  }

  bool operator==(const ContentRow&) const = default;
};

}  // namespace trawl
