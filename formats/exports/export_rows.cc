#include "formats/exports/export_rows.h"

#include <bit>
#include <utility>

#include "formats/digests/digest.h"
#include "formats/documents/json.h"
#include "formats/exports/offer.h"
#include "formats/rows/directives.h"
#include "formats/url/domain.h"
#include "formats/url/key.h"

namespace trawl {

namespace {

// The URL of a key; empty for an empty key, and the key itself where it is damaged.
void UrlOrKey(const std::string& key, std::string* out) {
  if (key.empty()) {
    out->clear();
  } else if (!WriteUrlOfKey(key, out)) {
    *out = key;
  }
}

// Raw header bytes as text that every tool accepts: bytes that are not ASCII become '?'.
std::string Printable(std::string text) {
  for (char& c : text) {
    if (static_cast<uint8_t>(c) < 0x20 || static_cast<uint8_t>(c) >= 0x7F) c = '?';
  }
  return text;
}

// Bytes from a server as UTF-8: those that are not become U+FFFD.
std::string ValidText(const std::string& bytes) {
  const arrow::Result<Json> text = ParseJson(DumpJson(Json(bytes)));
  return text.ok() && text->is_string() ? text->get<std::string>() : "";
}

const char* BreakerText(BreakerState breaker) {
  switch (breaker) {
    case BreakerState::kClosed:
      return "closed";
    case BreakerState::kOpen:
      return "open";
    case BreakerState::kHalfOpen:
      return "half-open";
  }
  return "unknown";
}

void ExportFacts(const PageFactsRow* facts, PageExport* out) {
  static const PageFactsRow kNothing;
  const PageFactsRow& row = facts == nullptr ? kNothing : *facts;
  out->main_text = row.main_text;
  out->main_from = row.main_rule == 0 ? "" : TextOf(row.main_from);
  out->main_words = row.main_words;
  out->words = row.words;
  out->link_density = std::bit_cast<int64_t>(row.link_density_millionths / 1e6);
  out->challenge = row.challenge;
  out->soft_404 = row.soft_404;
  out->markdown = row.markdown;
  out->published = row.published_ms;
  out->published_from = row.published_from;
  out->modified = row.modified_ms;
  out->modified_from = row.modified_from;
  out->author = row.author;
  out->author_from = row.author_from;
  out->headline = row.headline;
  out->headline_from = row.headline_from;
  out->image = row.image;
  out->image_from = row.image_from;
  out->site_name = row.site_name;
  out->site_name_from = row.site_name_from;
  out->schema_types = row.schema_types;
  out->og_type = row.og_type;
}

}  // namespace

void ExportRow(const UrlRow& row, UrlExport* out) {
  UrlOrKey(row.key, &out->url);
  out->request_url = row.spelling.empty() ? out->url : row.spelling;
  out->host = HostOfKey(row.key);
  out->domain = PublicSuffixes::BuiltIn().HoldingDomain(out->host);
  out->key = row.key;
  out->kind = TextOf(row.kind);
  out->state = TextOf(row.state);
  out->outcome = TextOf(row.outcome);
  out->reason = row.reason;
  out->status = row.status;
  out->depth = row.depth;
  out->is_seed = row.is_seed;
  out->score_millionths = row.score;
  out->inlinks = row.inlinks;
  out->due = row.due_ms;
  out->interval_ms = row.interval_ms;
  out->discovered = row.discovered_ms;
  UrlOrKey(row.via, &out->via_url);
  out->fetched = row.fetched_ms;
  out->changed = row.changed_ms;
  out->fetches = row.fetches;
  out->retries = row.retries;
  out->unchanged = row.unchanged;
  out->change_rate_millionths = row.change_rate;
  out->response_ms = row.response_ms;
  out->content_type = Printable(row.content_type);
  out->bytes = row.bytes;
  out->truncated = TextOf(row.truncated);
  out->etag = Printable(row.etag);
  out->last_modified = Printable(row.last_modified);
  out->body_sha256 = ToHex(std::string_view(row.body_digest));
  out->content_sha256 = ToHex(std::string_view(row.content_digest));
  UrlOrKey(row.redirect_to, &out->redirect_url);
  UrlOrKey(row.canonical_to, &out->canonical_url);
  out->metadata = row.metadata;
  out->tier = TextOf(row.tier);
  out->fixed_score = row.fixed_score;
  out->fixed_interval_ms = row.fixed_interval_ms;
  out->due_set = row.due_set_ms;
  out->stated_priority_millionths = row.stated_priority;
  out->stated_interval_ms = row.stated_interval_ms;
  out->stated_lastmod = row.stated_lastmod_ms;
  UrlOrKey(row.sitemap, &out->sitemap_url);
  out->entries = row.entries;
  out->signals = SignalsText(row.signals);
  UrlOrKey(row.duplicate_of, &out->duplicate_of);
  UrlOrKey(row.near_duplicate_of, &out->near_duplicate_of);
  out->distance = row.distance;
}

void ExportRow(const HostRow& row, HostExport* out) {
  out->host = HostOfKey(row.key);
  out->domain = PublicSuffixes::BuiltIn().HoldingDomain(out->host);
  out->key = row.key;
  out->blocked = row.blocked;
  out->delay_ms = row.delay_ms;
  out->response_ms = row.response_ms;
  out->answered = row.answered_ms;
  out->not_before = row.not_before_ms;
  out->pages = row.pages;
  out->bytes = row.bytes;
  out->discovered = row.discovered;
  out->fetched = row.fetched;
  out->suspected_trap = row.suspected_trap;
  out->addresses = row.addresses;
  out->linking_hosts = row.linking_hosts;
  out->operator_delay_ms = row.operator_delay_ms;
  out->operator_pages_a_day = row.operator_pages_a_day;
  out->day = row.day_start_ms;
  out->pages_today = row.pages_today;
  out->breaker = BreakerText(row.breaker);
  out->breaker_until = row.breaker_until_ms;
  out->failures_in_a_row = row.failures_in_a_row;
  out->slow_until = row.slow_until_ms;
  out->robots_outcome.clear();
  out->robots_status = 0;
  out->robots_fetched = 0;
  out->robots_failures = 0;
  out->operator_pages = row.operator_pages;
  out->operator_reason = row.operator_reason;
  out->first_seen = row.discovered_ms;
  out->of_domain = row.domain;
}

void AddRobots(const RobotsRow& row, HostExport* out) {
  if (row.removed || row.fetched_ms <= out->robots_fetched) return;
  out->robots_outcome = TextOf(row.outcome);
  out->robots_status = row.status;
  out->robots_fetched = row.fetched_ms;
  out->robots_failures = row.failures;
}

void ExportRow(const RobotsRow& row, RobotsExport* out) {
  // The key is that of the origin; its URL ends in "/".
  UrlOrKey(row.key + "/robots.txt", &out->url);
  out->host = HostOfKey(row.key);
  out->domain = PublicSuffixes::BuiltIn().HoldingDomain(out->host);
  out->outcome = TextOf(row.outcome);
  out->status = row.status;
  out->fetched = row.fetched_ms;
  out->due = row.due_ms;
  out->failures = row.failures;
  out->text = ValidText(row.text);
  out->text_fetched = row.text_ms;
  UrlOrKey(row.redirect_to, &out->redirect_url);
  out->history = row.history;
}

void ExportItem(const ItemRow& row, ItemExport* out) {
  UrlOrKey(row.key, &out->url);
  out->host = HostOfKey(row.key);
  out->domain = PublicSuffixes::BuiltIn().HoldingDomain(out->host);
  out->fetched = row.fetched_ms;
  out->syntax = row.syntax;
  out->block = row.block;
  out->position = row.position;
  out->type = row.type;
  out->id = row.id;
  out->json = row.json;
  out->repaired = row.repaired;
  out->problem = row.problem;
  ItemOffer offer = OfferOfItem(row.json);
  out->price = std::move(offer.price);
  out->currency = std::move(offer.currency);
  out->availability = std::move(offer.availability);
  out->rating = std::move(offer.rating);
}

void ExportPage(const UrlRow& row, const ParseRow* parsed, const PageFactsRow* facts, PageExport* out) {
  static const ParseRow kNothing;
  const ParseRow& page = parsed == nullptr ? kNothing : *parsed;
  UrlOrKey(row.key, &out->url);
  out->host = HostOfKey(row.key);
  out->domain = PublicSuffixes::BuiltIn().HoldingDomain(out->host);
  out->state = TextOf(row.state);
  out->status = row.status;
  out->fetched = row.fetched_ms;
  out->content_type = Printable(row.content_type);
  out->bytes = row.bytes;
  out->truncated = TextOf(row.truncated);
  out->title = page.title;
  out->text = page.text;
  out->language = page.language;
  out->description = page.description;
  out->canonical_url = page.canonical_url;
  if (out->canonical_url.empty()) UrlOrKey(page.canonical_to, &out->canonical_url);
  out->directives.clear();
  for (const char* const name : DirectivesOf(page)) {
    out->directives += (out->directives.empty() ? "" : ",") + std::string(name);
  }
  out->needs_js = page.needs_js;
  out->body_sha256 = ToHex(std::string_view(row.body_digest));
  out->content_sha256 = ToHex(std::string_view(row.content_digest));
  out->simhash = page.has_simhash ? ToHex(static_cast<uint64_t>(page.simhash)) : "";
  out->parser = page.parser;
  if (parsed == nullptr) out->parser = 0;
  out->body_segment = row.body_segment;
  out->body_file = row.body_file;
  out->body_row = row.body_row;
  out->inlinks = row.inlinks;
  out->rank = 0;
  out->alternates = page.alternates;
  out->amphtml_url = page.amphtml_url;
  out->content_signal = page.content_signal;
  out->tdm_policy = page.tdm_policy;
  UrlOrKey(row.duplicate_of, &out->duplicate_of);
  UrlOrKey(row.near_duplicate_of, &out->near_duplicate_of);
  out->distance = row.distance;
  ExportFacts(facts, out);
}

}  // namespace trawl
