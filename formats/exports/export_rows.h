// The door of formats/exports: rows for other tools, as trawl export writes them: `url`, `host`, `domain`, states in words, real timestamps.
//
// A column here is never renamed; docs/storage.md lists them. Digests are hexadecimal text, since most tools show bytes
// badly.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "formats/rows/host_row.h"
#include "formats/rows/item_row.h"
#include "formats/rows/page_facts_row.h"
#include "formats/rows/parse_row.h"
#include "formats/rows/robots_row.h"
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
  // The word of a sitemap or feed; zero and empty: none.
  int32_t stated_priority_millionths = 0;
  int64_t stated_interval_ms = 0;
  int64_t stated_lastmod = 0;
  std::string sitemap_url;
  int32_t entries = 0;
  std::string signals;  // "noindex,noarchive"
  // The URL of the page that stands for it, and for a near one the number of bits in which their texts differ.
  std::string duplicate_of;
  std::string near_duplicate_of;
  int32_t distance = 0;

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
    visit("stated_priority_millionths", row.stated_priority_millionths);
    visit("stated_interval_ms", row.stated_interval_ms);
    visit("stated_lastmod", row.stated_lastmod, kTimestamp);
    visit("sitemap_url", row.sitemap_url);
    visit("entries", row.entries);
    visit("signals", row.signals);
    visit("duplicate_of", row.duplicate_of);
    visit("near_duplicate_of", row.near_duplicate_of);
    visit("distance", row.distance);
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
  int64_t linking_hosts = 0;
  // What the operator has said; zero: nothing. A delay that is meant to be zero is -1.
  int32_t operator_delay_ms = 0;
  int32_t operator_pages_a_day = 0;
  int64_t day = 0;
  int32_t pages_today = 0;
  std::string breaker;
  int64_t breaker_until = 0;
  int32_t failures_in_a_row = 0;
  int64_t slow_until = 0;
  // The robots.txt of the host that was fetched last, of those of its schemes and ports.
  std::string robots_outcome;
  int32_t robots_status = 0;
  int64_t robots_fetched = 0;
  int32_t robots_failures = 0;
  int64_t operator_pages = 0;
  std::string operator_reason;
  int64_t first_seen = 0;
  // What is known and decided of the registrable domain, in the row of the host that has its name.
  DomainRecord of_domain;

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
    visit("linking_hosts", row.linking_hosts);
    visit("operator_delay_ms", row.operator_delay_ms);
    visit("operator_pages_a_day", row.operator_pages_a_day);
    visit("day", row.day, kTimestamp);
    visit("pages_today", row.pages_today);
    visit("breaker", row.breaker);
    visit("breaker_until", row.breaker_until, kTimestamp);
    visit("failures_in_a_row", row.failures_in_a_row);
    visit("slow_until", row.slow_until, kTimestamp);
    visit("robots_outcome", row.robots_outcome);
    visit("robots_status", row.robots_status);
    visit("robots_fetched", row.robots_fetched, kTimestamp);
    visit("robots_failures", row.robots_failures);
    visit("operator_pages", row.operator_pages);
    visit("operator_reason", row.operator_reason);
    visit("first_seen", row.first_seen, kTimestamp);
    visit("domain_blocked", row.of_domain.blocked, kFlag);
    visit("domain_operator_reason", row.of_domain.operator_reason);
    visit("domain_operator_delay_ms", row.of_domain.operator_delay_ms);
    visit("domain_operator_pages_a_day", row.of_domain.operator_pages_a_day);
    visit("domain_operator_pages", row.of_domain.operator_pages);
    visit("domain_day", row.of_domain.day_start_ms, kTimestamp);
    visit("domain_pages_today", row.of_domain.pages_today);
    visit("domain_pages", row.of_domain.pages);
  }
};

struct RobotsExport {
  std::string url;
  std::string host;
  std::string domain;
  std::string outcome;
  int32_t status = 0;
  int64_t fetched = 0;
  int64_t due = 0;
  int32_t failures = 0;
  std::string text;  // the last good answer
  int64_t text_fetched = 0;
  std::string redirect_url;
  std::string history;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("url", row.url);
    visit("host", row.host);
    visit("domain", row.domain);
    visit("outcome", row.outcome);
    visit("status", row.status);
    visit("fetched", row.fetched, kTimestamp);
    visit("due", row.due, kTimestamp);
    visit("failures", row.failures);
    visit("text", row.text);
    visit("text_fetched", row.text_fetched, kTimestamp);
    visit("redirect_url", row.redirect_url);
    visit("history", row.history);
  }
};

// A URL with a stored body, and what parse read in it. Later columns are added at the end.
struct PageExport {
  std::string url;
  std::string host;
  std::string domain;
  std::string state;
  int32_t status = 0;
  int64_t fetched = 0;
  std::string content_type;
  int64_t bytes = 0;
  std::string truncated;
  std::string title;
  std::string text;
  std::string language;
  std::string description;
  std::string canonical_url;
  std::string directives;  // "noindex,nofollow"
  bool needs_js = false;
  std::string body_sha256;
  std::string content_sha256;
  std::string simhash;  // 16 hexadecimal digits; empty where the text is too short for one
  int32_t parser = 0;
  std::string body_segment;
  std::string body_file;
  int64_t body_row = 0;
  int32_t inlinks = 0;
  int64_t rank = 0;        // bits of the PageRank of its host; 0: not known
  std::string alternates;  // lines of hreflang TAB url
  std::string amphtml_url;
  std::string content_signal;
  std::string tdm_policy;
  // As in a UrlExport.
  std::string duplicate_of;
  std::string near_duplicate_of;
  int32_t distance = 0;
  // Of page_facts. Empty and zero where a version without them has read the page.
  std::string main_text;
  std::string main_from;
  int32_t main_words = 0;
  int32_t words = 0;
  int64_t link_density = 0;  // bits of a double
  std::string challenge;
  std::string soft_404;
  std::string markdown;
  int64_t published = 0;
  std::string published_from;
  int64_t modified = 0;
  std::string modified_from;
  std::string author;
  std::string author_from;
  std::string headline;
  std::string headline_from;
  std::string image;
  std::string image_from;
  std::string site_name;
  std::string site_name_from;
  std::string schema_types;
  std::string og_type;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("url", row.url);
    visit("host", row.host);
    visit("domain", row.domain);
    visit("state", row.state);
    visit("status", row.status);
    visit("fetched", row.fetched, kTimestamp);
    visit("content_type", row.content_type);
    visit("bytes", row.bytes);
    visit("truncated", row.truncated);
    visit("title", row.title);
    visit("text", row.text);
    visit("language", row.language);
    visit("description", row.description);
    visit("canonical_url", row.canonical_url);
    visit("directives", row.directives);
    visit("needs_js", row.needs_js, kFlag);
    visit("body_sha256", row.body_sha256);
    visit("content_sha256", row.content_sha256);
    visit("simhash", row.simhash);
    visit("parser", row.parser);
    visit("body_segment", row.body_segment);
    visit("body_file", row.body_file);
    visit("body_row", row.body_row);
    visit("inlinks", row.inlinks);
    visit("rank", row.rank, kDouble);
    visit("alternates", row.alternates);
    visit("amphtml_url", row.amphtml_url);
    visit("content_signal", row.content_signal);
    visit("tdm_policy", row.tdm_policy);
    visit("duplicate_of", row.duplicate_of);
    visit("near_duplicate_of", row.near_duplicate_of);
    visit("distance", row.distance);
    visit("main_text", row.main_text);
    visit("main_from", row.main_from);
    visit("main_words", row.main_words);
    visit("words", row.words);
    visit("link_density", row.link_density, kDouble);
    visit("challenge", row.challenge);
    visit("soft_404", row.soft_404);
    visit("markdown", row.markdown);
    visit("published", row.published, kTimestamp);
    visit("published_from", row.published_from);
    visit("modified", row.modified, kTimestamp);
    visit("modified_from", row.modified_from);
    visit("author", row.author);
    visit("author_from", row.author_from);
    visit("headline", row.headline);
    visit("headline_from", row.headline_from);
    visit("image", row.image);
    visit("image_from", row.image_from);
    visit("site_name", row.site_name);
    visit("site_name_from", row.site_name_from);
    visit("schema_types", row.schema_types);
    visit("og_type", row.og_type);
  }
};

// An item of a page that is in PageExport. Later columns are added at the end.
struct ItemExport {
  std::string url;
  std::string host;
  std::string domain;
  int64_t fetched = 0;  // when the body was fetched
  std::string syntax;
  int32_t block = 0;
  int32_t position = 0;
  std::string type;
  std::string id;
  std::string json;
  std::string repaired;
  std::string problem;
  // What follows from the JSON (formats/exports/offer.h), as the page writes it.
  std::string price;
  std::string currency;
  std::string availability;
  std::string rating;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("url", row.url);
    visit("host", row.host);
    visit("domain", row.domain);
    visit("fetched", row.fetched, kTimestamp);
    visit("syntax", row.syntax);
    visit("block", row.block);
    visit("position", row.position);
    visit("type", row.type);
    visit("id", row.id);
    visit("json", row.json);
    visit("repaired", row.repaired);
    visit("problem", row.problem);
    visit("price", row.price);
    visit("currency", row.currency);
    visit("availability", row.availability);
    visit("rating", row.rating);
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

template <>
struct Exported<RobotsRow> {
  using Type = RobotsExport;
};

// Tables that are exported only when they are asked for by name.
template <typename Row>
inline constexpr bool kIsExportedWhenNamed = std::is_same_v<Row, RobotsRow>;

// These overwrite every field of `out`. Those of robots in a HostExport are empty.
void ExportRow(const UrlRow& row, UrlExport* out);
void ExportRow(const HostRow& row, HostExport* out);
void ExportRow(const RobotsRow& row, RobotsExport* out);
void ExportItem(const ItemRow& row, ItemExport* out);
// `row` has a body; `parsed` and `facts` are what parse wrote about it, or null.
void ExportPage(const UrlRow& row, const ParseRow* parsed, const PageFactsRow* facts, PageExport* out);
// Takes the robots.txt over where it is newer than the one that `out` has.
void AddRobots(const RobotsRow& row, HostExport* out);

}  // namespace trawl
