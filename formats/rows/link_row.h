// A row of a segment's links dataset: a link of a page, each target once a page. docs/storage.md shows it by example.
#pragma once

#include <cstdint>
#include <string>

#include "formats/rows/row_codec.h"
#include "formats/rows/url_row.h"

namespace trawl {

struct LinkRow {
  static constexpr char kTable[] = "links";
  static constexpr uint8_t kVersion = 1;

  std::string key;  // of the page that it stands on
  std::string to;   // key of its target
  std::string url;  // the target as a request would spell it
  std::string how;  // "a", "canonical", "img", "sitemap"…
  std::string rel;
  std::string text;      // of the anchor
  std::string language;  // of an alternate
  bool nofollow = false;
  bool enters = false;            // the target may enter the crawl
  bool counts = false;            // it is an inlink: of a page that is parsed for the first time
  UrlKind kind = UrlKind::kPage;  // of the target
  int32_t depth = 0;              // that the target has by this link
  int32_t score = 0;              // of the page
  int64_t lastmod_ms = 0;         // a sitemap's word on the target
  int32_t priority = 0;           // the same, millionths

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("to", row.to);
    visit("url", row.url);
    visit("how", row.how);
    visit("rel", row.rel);
    visit("text", row.text);
    visit("language", row.language);
    visit("nofollow", row.nofollow);
    visit("enters", row.enters);
    visit("counts", row.counts);
    visit("kind", row.kind);
    visit("depth", row.depth);
    visit("score", row.score);
    visit("lastmod_ms", row.lastmod_ms);
    visit("priority", row.priority);
  }

  bool operator==(const LinkRow&) const = default;
};

}  // namespace trawl
