// A row of a segment's links dataset: a link of a page, each target once per page. docs/storage.md shows an example.
#pragma once

#include <cstdint>
#include <string>

#include "formats/rows/row_codec.h"
#include "formats/rows/url_row.h"

namespace trawl {

struct LinkRow {
  static constexpr char kTable[] = "links";
  static constexpr uint8_t kVersion = 2;

  std::string key;  // key of the page that has the link
  std::string to;   // key of its target
  std::string url;  // the target as a request would spell it
  std::string how;  // "a", "canonical", "img", "sitemap"…
  std::string rel;
  std::string text;      // the anchor's text
  std::string language;  // language of an alternate
  bool nofollow = false;
  bool enters = false;            // the target may enter the crawl
  bool counts = false;            // it counts as an inlink: its page is parsed for the first time
  UrlKind kind = UrlKind::kPage;  // the target's kind
  int32_t depth = 0;              // the target's depth by this link
  int32_t score = 0;              // the page's score
  int64_t lastmod_ms = 0;         // the time that a sitemap states for the target
  int32_t priority = 0;           // the priority that it states, in millionths
  bool has_priority = false;
  int64_t interval_ms = 0;  // the change frequency that it states
  std::string details;      // what its news, image and video extensions say, as JSON; empty: nothing

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
    visit("has_priority", row.has_priority);
    visit("interval_ms", row.interval_ms);
    visit("details", row.details);
  }

  bool operator==(const LinkRow&) const = default;
};

}  // namespace trawl
