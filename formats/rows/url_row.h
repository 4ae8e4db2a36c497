// A row of the urls table: everything that the crawl knows about one URL. docs/storage.md shows an example.
//
// The numbers of enumerations are for ever: a number never gets another meaning.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/rows/outcome.h"
#include "formats/rows/row_codec.h"
#include "formats/rows/times.h"
#include "formats/tables/sidecar.h"

namespace trawl {

// A probe is a path that cannot exist: its answer shows what the host's error pages look like. It is no page of the crawl.
enum class UrlKind : int8_t { kPage = 1, kSitemap = 2, kFeed = 3, kProbe = 4 };

enum class UrlState : int8_t {
  kNone = 0,  // for a tombstone
  kUnfetched = 1,
  kFetched = 2,
  kRedirected = 3,
  kFailing = 4,  // will be retried
  kGone = 5,
  kDenied = 6,   // by robots.txt
  kRefused = 7,  // by scope, type, address or a limit
  kDuplicate = 8,
};

// Which tier the operator chose for a URL; without a choice a rule decides (jobs/select/url_rank.h).
enum class TierChoice : int8_t { kByRule = 0, kHigh = 1, kMedium = 2, kLow = 3 };

// "unfetched", "page", "high"; the empty text for 0, and "unknown-77" for a number that this program does not know.
std::string TextOf(UrlKind kind);
std::string TextOf(UrlState state);
std::string TextOf(TierChoice tier);

struct UrlRow {
  static constexpr char kTable[] = "urls";
  static constexpr uint8_t kVersion = 5;

  std::string key;
  bool removed = false;  // a tombstone: the key is not in the crawl
  std::string spelling;  // the URL to request; empty: the URL that the key stands for
  UrlKind kind = UrlKind::kPage;
  UrlState state = UrlState::kUnfetched;
  Outcome outcome = Outcome::kNone;  // outcome of the last request
  std::string reason;                // the outcome's detail, in words
  int64_t due_ms = 0;                // the earliest time of the next request; kNever: not again
  int64_t interval_ms = 0;
  int64_t fixed_interval_ms = 0;  // the operator's own interval for this URL; 0: adaptive
  int64_t discovered_ms = 0;
  std::string via;  // key of the page that linked to it first; empty for a seed
  int32_t depth = 0;
  bool is_seed = false;
  int64_t fetched_ms = 0;  // the last request that counted
  int64_t changed_ms = 0;  // the last time when its content was new
  int32_t status = 0;
  int32_t fetches = 0;
  int32_t retries = 0;
  int32_t unchanged = 0;    // consecutive fetches whose content was not new
  int32_t change_rate = 0;  // millionths
  int32_t response_ms = 0;
  std::string content_type;
  int64_t bytes = 0;  // size of the decoded body
  Truncation truncated = Truncation::kNone;
  std::string etag;            // as received
  std::string last_modified;   // as received
  std::string body_digest;     // SHA-256 of the decoded body
  std::string content_digest;  // SHA-256 of the cleaned page
  std::string body_segment;    // the place of its latest body: segment, file and row
  std::string body_file;
  int64_t body_row = 0;
  std::string redirect_to;   // key
  std::string canonical_to;  // key
  int32_t score = 0;         // millionths
  int32_t inlinks = 0;
  int32_t parser = 0;    // version of the parser that last read it; 0: never parsed
  std::string metadata;  // the seed's metadata: key=value lines, sorted
  TierChoice tier = TierChoice::kByRule;
  bool fixed_score = false;  // the operator set the score: neither links nor rounds change it
  int64_t due_set_ms = 0;    // when the operator set due_ms; 0: never, or it was asked for since
  // The word of a sitemap or feed; zero and empty: none.
  int32_t stated_priority = 0;  // millionths; a stated 0 is stored as 1
  int64_t stated_interval_ms = 0;
  int64_t stated_lastmod_ms = 0;
  std::string sitemap;  // the smallest key of those that list it
  int32_t entries = 0;  // of a sitemap or feed: the number that it listed when it was read last
  // The place of its latest parse row, where a segment of reparse has it: segment, file and row. Empty: it lies in the
  // segment of the body.
  std::string parse_segment;
  std::string parse_file;
  int64_t parse_row = 0;
  int64_t read_policy = 0;  // identifies the rules by which its links were judged last; 0: not noted
  int32_t signals = 0;      // a bit for each wish of the page (formats/rows/directives.h)
  // What trawl settle decided: the key of the page that stands for it, whose cleaned content is the same, or whose text is
  // nearly the same. Empty: it stands for itself. `distance`: in bits, from a near one.
  std::string duplicate_of;
  std::string near_duplicate_of;
  int32_t distance = 0;
  int64_t simhash = 0;       // fingerprint of the text, its bits; 0: none, for it has too few words
  bool shares_body = false;  // the place of its body is that of another URL's, whose body is the same byte for byte
  std::string text_sketch;   // of the text that has the fingerprint (formats/digests/text_sketch.h); empty: none

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
    visit("tier", row.tier);
    visit("fixed_score", row.fixed_score);
    visit("due_set_ms", row.due_set_ms);
    visit("stated_priority", row.stated_priority);
    visit("stated_interval_ms", row.stated_interval_ms);
    visit("stated_lastmod_ms", row.stated_lastmod_ms);
    visit("sitemap", row.sitemap);
    visit("entries", row.entries);
    visit("parse_segment", row.parse_segment);
    visit("parse_file", row.parse_file);
    visit("parse_row", row.parse_row);
    visit("read_policy", row.read_policy);
    visit("signals", row.signals);
    visit("duplicate_of", row.duplicate_of);
    visit("near_duplicate_of", row.near_duplicate_of);
    visit("distance", row.distance);
    visit("simhash", row.simhash);
    visit("shares_body", row.shares_body);
    visit("text_sketch", row.text_sketch, kBinary);
  }

  bool operator==(const UrlRow&) const = default;
};

inline constexpr int32_t kScoreOne = 1'000'000;

// Whether the row holds only what a link tells about a URL, and the number of its links since: an unfetched page with
// no more than spelling, via, discovery, depth, inlinks and score. Most rows of a frontier are such rows.
bool IsPlainLink(const UrlRow& row);

// Whether the operator dropped the URL for good: the row stays, so that nothing brings the URL back.
inline bool IsDropped(const UrlRow& row) { return row.state == UrlState::kRefused && row.outcome == Outcome::kDropped; }

// The URL that a request for the row asks for.
std::string RequestUrl(const UrlRow& row);

// The row as its sidecar stores it: its state (0: a tombstone), depth and inlinks, the last two capped. For a plain row
// they are exact.
inline SidecarEntry SidecarOf(const UrlRow& row) {
  const auto capped = [](int32_t value, int32_t most) { return value < 0 ? 0 : value > most ? most : value; };
  return {.state = row.removed ? uint8_t{0} : static_cast<uint8_t>(capped(static_cast<int32_t>(row.state), INT8_MAX)),
          .depth = static_cast<uint8_t>(capped(row.depth, UINT8_MAX)),
          .inlinks = static_cast<uint16_t>(capped(row.inlinks, UINT16_MAX)),
          .plain = IsPlainLink(row)};
}

}  // namespace trawl
