#include "formats/rows/export_rows.h"

#include "formats/digests/digest.h"
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
}

}  // namespace trawl
