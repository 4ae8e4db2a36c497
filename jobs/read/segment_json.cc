#include "jobs/read/segment_json.h"

#include "formats/digests/digest.h"
#include "formats/rows/directives.h"
#include "jobs/verb/row_json.h"

namespace trawl {

namespace {

// A stage's time, or null where it was not reached.
Json StageJson(int32_t ms) { return ms < 0 ? Json() : Json(ms); }

}  // namespace

Json FetchJson(const FetchRow& row) {
  const std::string outcome = TextOf(row.outcome);
  return {{"url", UrlOrNull(row.key)},
          {"status", row.status == 0 ? Json() : Json(row.status)},
          {"outcome", TextOrNull(outcome)},
          {"reason", TextOrNull(row.reason.empty() ? outcome
                                : outcome.empty()  ? row.reason
                                                   : outcome + ": " + row.reason)},
          {"bytes", row.bytes},
          {"truncated", TextOrNull(TextOf(row.truncated))},
          {"fetched_at", TimeJson(row.fetched_ms)},
          {"kind", TextOf(row.kind)},
          {"requests", row.requests},
          {"content_type", TextOrNull(row.content_type)},
          {"wire_bytes", row.wire_bytes},
          {"total_ms", row.total_ms},
          {"depth", row.depth},
          {"hops", row.hops},
          {"hop_of", UrlOrNull(row.hop_of)},
          {"redirect", row.redirect_url.empty() ? UrlOrNull(row.redirect_to) : Json(row.redirect_url)},
          {"body_digest", TextOrNull(ToHex(std::string_view(row.body_digest)))}};
}

Json WholeFetchJson(const FetchRow& row) {
  Json json = FetchJson(row);
  json.update({{"request", row.url},
               {"listed", !row.listed.empty()},
               {"conditional", row.conditional},
               {"blameless", row.blameless},
               {"dns_ms", StageJson(row.dns_ms)},
               {"connect_ms", StageJson(row.connect_ms)},
               {"tls_ms", StageJson(row.tls_ms)},
               {"first_byte_ms", StageJson(row.first_byte_ms)},
               {"began_at", TimeJson(row.began_ms)},
               {"address", TextOrNull(row.address)},
               {"http_version", TextOrNull(row.http_version)},
               {"tls_version", TextOrNull(row.tls_version)},
               {"kept_codings", TextOrNull(row.kept_codings)},
               {"etag", TextOrNull(row.etag)},
               {"last_modified", TextOrNull(row.last_modified)},
               {"retry_after", TimeJson(row.retry_after_ms)},
               {"robots_line", row.robots_line == 0 ? Json() : Json(row.robots_line)},
               {"robots_rule", TextOrNull(row.robots_rule)},
               {"content_file", TextOrNull(row.content_file)},
               {"shares_body", row.shares_body},
               {"content_row", row.content_file.empty() ? Json() : Json(row.content_row)},
               {"request_headers", row.request_headers},
               {"response_headers", row.response_headers}});
  return json;
}

Json ParseJson(const ParseRow& row, const PageFactsRow* facts) {
  Json json = {{"failed", row.failed},
               {"reason", TextOrNull(row.reason)},
               {"parser", row.parser},
               {"media_type", TextOrNull(row.media_type)},
               {"charset", TextOrNull(row.charset)},
               {"charset_source", TextOrNull(row.charset_source)},
               {"title", TextOrNull(row.title)},
               {"description", TextOrNull(row.description)},
               {"language", TextOrNull(row.language)},
               {"declared_language", TextOrNull(row.declared_language)},
               {"canonical", row.canonical_url.empty() ? UrlOrNull(row.canonical_to) : Json(row.canonical_url)},
               {"refresh", UrlOrNull(row.refresh_to)},
               {"directives", DirectivesOf(row)},
               {"unavailable_after", TimeJson(row.unavailable_after_ms)},
               {"content_signal", TextOrNull(row.content_signal)},
               {"tdm_reservation", TdmJson(row)},
               {"tdm_policy", TextOrNull(row.tdm_policy)},
               {"amphtml", TextOrNull(row.amphtml_url)},
               {"alternates", AlternatesJson(row)},
               {"needs_js", row.needs_js},
               {"content_digest", TextOrNull(ToHex(std::string_view(row.content_digest)))},
               {"simhash", row.has_simhash ? Json(ToHex(static_cast<uint64_t>(row.simhash))) : Json()},
               {"text_bytes", row.text.size()},
               {"links", row.links},
               {"links_cut", row.links_cut},
               {"tree", TextOrNull(row.tree)},
               {"sitemap", TextOrNull(row.sitemap)}};
  json.update(FactsJson(facts));
  return json;
}

Json ReadAgainJson(const ParseRow& row, const PageFactsRow* facts) {
  return {{"url", row.url}, {"read_again", true}, {"parse", ParseJson(row, facts)}};
}

Json TextsJson(const ParseRow* row, const PageFactsRow* facts) {
  const bool was_searched = facts != nullptr && facts->main_rule != 0;
  return {{"title", row == nullptr ? Json() : Json(row->title)},
          {"text", row == nullptr ? Json() : Json(row->text)},
          {"main_text", facts == nullptr ? Json() : TextOrNull(facts->main_text)},
          {"main_from", was_searched ? Json(TextOf(facts->main_from)) : Json()},
          {"markdown", facts == nullptr ? Json() : TextOrNull(facts->markdown)},
          {"published", facts == nullptr ? Json() : TimeJson(facts->published_ms)},
          {"modified", facts == nullptr ? Json() : TimeJson(facts->modified_ms)},
          {"author", facts == nullptr ? Json() : TextOrNull(facts->author)},
          {"schema_types", facts == nullptr ? Json() : TextOrNull(facts->schema_types)}};
}

}  // namespace trawl
