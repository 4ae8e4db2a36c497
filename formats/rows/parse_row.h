// A row of a segment's parse dataset: the facts that a body tells. docs/storage.md shows an example.
#pragma once

#include <cstdint>
#include <string>

#include "formats/rows/row_codec.h"

namespace trawl {

// Raised when the same bytes would be read differently. Pages are then parsed again when they are fetched next.
inline constexpr int32_t kParserVersion = 3;

struct ParseRow {
  static constexpr char kTable[] = "parse";
  static constexpr uint8_t kVersion = 3;

  std::string key;
  std::string url;
  int64_t fetched_ms = 0;
  int32_t parser = kParserVersion;
  bool failed = false;
  std::string reason;  // the reason of a failure, or the parts that were cut
  std::string media_type;
  std::string charset;
  std::string charset_source;
  std::string title;
  std::string text;
  std::string description;
  std::string language;  // as detected; "und" when unsure
  std::string declared_language;
  std::string canonical_to;  // key
  std::string canonical_url;
  std::string alternates;  // lines of hreflang TAB url
  std::string refresh_to;  // key
  bool noindex = false;
  bool nofollow = false;
  bool noarchive = false;
  bool nosnippet = false;
  bool noai = false;
  bool noimageai = false;
  int8_t tdm_reservation = 0;  // 0: not stated, 1: reserved, 2: not reserved
  std::string tdm_policy;
  int64_t unavailable_after_ms = 0;
  bool needs_js = false;
  std::string content_digest;
  bool has_simhash = false;
  int64_t simhash = 0;
  std::string body_digest;
  int32_t links = 0;  // in scope, each once
  int32_t links_cut = 0;
  int32_t resources = 0;
  int64_t text_cut = 0;        // in bytes
  std::string tree;            // how far the page was read: "complete", "too_deep"…
  std::string sitemap;         // the type of a sitemap or feed
  int32_t entries = 0;         // of a sitemap or feed
  int64_t policy = 0;          // identifies the rules by which the links were judged
  std::string content_signal;  // "ai-train=no, search=yes", as the page or its header states it
  std::string amphtml_url;
  std::string text_sketch;  // formats/digests/text_sketch.h; empty where there is no simhash

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("url", row.url);
    visit("fetched_ms", row.fetched_ms);
    visit("parser", row.parser);
    visit("failed", row.failed);
    visit("reason", row.reason);
    visit("media_type", row.media_type);
    visit("charset", row.charset);
    visit("charset_source", row.charset_source);
    visit("title", row.title);
    visit("text", row.text);
    visit("description", row.description);
    visit("language", row.language);
    visit("declared_language", row.declared_language);
    visit("canonical_to", row.canonical_to);
    visit("canonical_url", row.canonical_url);
    visit("alternates", row.alternates);
    visit("refresh_to", row.refresh_to);
    visit("noindex", row.noindex);
    visit("nofollow", row.nofollow);
    visit("noarchive", row.noarchive);
    visit("nosnippet", row.nosnippet);
    visit("noai", row.noai);
    visit("noimageai", row.noimageai);
    visit("tdm_reservation", row.tdm_reservation);
    visit("tdm_policy", row.tdm_policy);
    visit("unavailable_after_ms", row.unavailable_after_ms);
    visit("needs_js", row.needs_js);
    visit("content_digest", row.content_digest, kBinary);
    visit("has_simhash", row.has_simhash);
    visit("simhash", row.simhash);
    visit("body_digest", row.body_digest, kBinary);
    visit("links", row.links);
    visit("links_cut", row.links_cut);
    visit("resources", row.resources);
    visit("text_cut", row.text_cut);
    visit("tree", row.tree);
    visit("sitemap", row.sitemap);
    visit("entries", row.entries);
    visit("policy", row.policy);
    visit("content_signal", row.content_signal);
    visit("amphtml_url", row.amphtml_url);
    visit("text_sketch", row.text_sketch, kBinary);
  }

  bool operator==(const ParseRow&) const = default;
};

}  // namespace trawl
