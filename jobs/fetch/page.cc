#include "jobs/fetch/page.h"

#include <utility>

#include "formats/http/fields.h"
#include "formats/http/media_type.h"
#include "formats/http/raw_headers.h"
#include "formats/text/utf8.h"
#include "formats/url/key.h"
#include "jobs/fetch/identity.h"
#include "jobs/signals/signals.h"
#include "jobs/sums/guessed_sitemap.h"

namespace trawl {

using arrow::Result;

namespace {

constexpr int32_t kWholeFetchEvery = 10;

// Servers write any bytes. Other programs refuse a file whose texts are no UTF-8, so the texts of a row are repaired; its
// heads are kept word for word.
FetchRow BaseRow(const FetchPage& page, Outcome outcome, const RobotsDecision& robots, int64_t now_ms) {
  FetchRow row;
  row.key = page.row.key;
  row.url = page.url;
  row.listed = page.listed;
  row.kind = page.row.kind;
  row.outcome = outcome;
  row.fetched_ms = now_ms;
  row.hop_of = page.hop_of;
  row.hops = page.hops;
  row.robots_line = robots.line;
  row.robots_rule = RepairedUtf8(robots.rule);
  row.depth = page.row.depth;
  row.score = page.row.score;
  return row;
}

// Whether the host has answered, and has no such page.
bool IsAnswerWithout(Outcome outcome) {
  return outcome == Outcome::kClientError || outcome == Outcome::kGone || outcome == Outcome::kTypeRefused ||
         outcome == Outcome::kRedirectRefused;
}

bool IsHtmlType(std::string_view content_type) {
  const std::optional<MediaType> type = ParseMediaType(content_type);
  return type && (type->essence == "text/html" || type->essence == "application/xhtml+xml");
}

void TakeTimings(const HttpTimings& timings, FetchRow* row) {
  row->dns_ms = static_cast<int32_t>(timings.dns_ms);
  row->connect_ms = static_cast<int32_t>(timings.connect_ms);
  row->tls_ms = static_cast<int32_t>(timings.tls_ms);
  row->first_byte_ms = static_cast<int32_t>(timings.first_byte_ms);
  row->total_ms = static_cast<int32_t>(timings.total_ms);
  row->began_ms = row->fetched_ms - timings.total_ms;
}

}  // namespace

Result<FetchPage> PageOf(const FetchList& list, UrlNumber number) {
  FetchPage page;
  page.number = number;
  if (list.IsHop(number)) {
    const HopUrl& hop = list.Hop(number);
    page.url = hop.url;
    page.row.key = hop.key;
    page.row.depth = hop.depth;
    page.row.score = hop.score;
    page.row.kind = hop.kind;
    page.row.via = hop.hop_of;
    page.hop_of = hop.hop_of;
    page.hops = hop.hops;
    return page;
  }
  page.listed = list.RowBytes(number);
  ARROW_RETURN_NOT_OK(list.ReadRow(number, &page.row));
  page.url = RequestUrl(page.row);
  page.has_body = list.progress(number).has_body;
  page.conditional = MayBeConditional(page);
  return page;
}

bool MayBeConditional(const FetchPage& page) {
  const UrlRow& row = page.row;
  if (page.listed.empty() || page.was_respelled) return false;
  if (row.etag.empty() && row.last_modified.empty()) return false;
  if (row.truncated != Truncation::kNone || !page.has_body || row.body_digest.empty()) return false;
  return (row.fetches + 1) % kWholeFetchEvery != 0;
}

HttpRequest RequestFor(const FetchPage& page, const FetchOptions& options) {
  HttpRequest request;
  request.url = page.url;
  request.limits = LimitsOf(options, page.row.kind == UrlKind::kSitemap);
  request.http2 = options.http2;
  if (page.conditional) {
    request.headers.push_back({"If-None-Match", page.row.etag});
    request.headers.push_back({"If-Modified-Since", page.row.last_modified});
  }
  request.on_head = [kind = page.row.kind, is_guess = IsGuessedSitemap(page.row)](const HttpHead& head) {
    if (head.status < 200 || head.status >= 300) return BodyWish::kDrop;
    // Many sites answer whatever is asked for with a page of theirs.
    if (is_guess && IsHtmlType(head.content_type)) return BodyWish::kRefuse;
    return IsWantedType(kind, head.content_type) ? BodyWish::kKeep : BodyWish::kRefuse;
  };
  return request;
}

FetchRow UnaskedRow(const FetchPage& page, Outcome outcome, const std::string& reason, const RobotsDecision& robots,
                    int64_t now_ms) {
  FetchRow row = BaseRow(page, outcome, robots, now_ms);
  row.reason = outcome == Outcome::kRobotsDenied && IsGuessedSitemap(page.row) ? kNoSitemap : RepairedUtf8(reason);
  return row;
}

FetchRow AnsweredRow(const FetchPage& page, const HttpAnswer& answer, const PageVerdict& verdict,
                     const RobotsDecision& robots, int64_t ended_ms) {
  FetchRow row = BaseRow(page, verdict.outcome, robots, ended_ms);
  row.reason = RepairedUtf8(verdict.reason);
  row.status = answer.status;
  if (IsGuessedSitemap(page.row) && IsAnswerWithout(row.outcome)) row.reason = kNoSitemap;
  row.blameless = verdict.sign == HostSign::kBlameless;
  row.conditional = page.conditional;
  TakeTimings(answer.timings, &row);
  if (answer.has_address) row.address = answer.address.ToString();
  row.request_headers = answer.raw_request;
  row.response_headers = answer.raw_headers;
  row.http_version = answer.http_version;
  row.tls_version = answer.tls_version;
  row.content_type = RepairedUtf8(answer.content_type);
  row.wire_bytes = answer.wire_bytes;
  row.bytes = answer.decoded_bytes;
  row.truncated = verdict.truncated;
  if (verdict.retry_after_ms >= 0) row.retry_after_ms = ended_ms + verdict.retry_after_ms;
  if (verdict.outcome != Outcome::kFetched && verdict.outcome != Outcome::kNotModified) return row;
  row.kept_codings = RepairedUtf8(answer.kept_codings);
  const HeaderList headers = ParseRawHeaders(answer.raw_headers);
  row.etag = ETagOf(headers);
  row.last_modified = headers.First("Last-Modified").value_or("");
  const bool is_fetched = verdict.outcome == Outcome::kFetched;
  row.body_digest = is_fetched ? Bytes(answer.body_digest) : page.row.body_digest;
  if (is_fetched) row.body_sha1 = Bytes(answer.body_sha1);
  return row;
}

bool StoresBody(const FetchPage& page, const FetchRow& row, const FetchOptions& options) {
  if (row.outcome != Outcome::kFetched) return false;
  const bool is_unchanged = row.body_digest == page.row.body_digest && page.row.parser != 0 && page.has_body;
  if (!is_unchanged) return true;
  const int32_t signals = SignalsOfRawHeaders(row.response_headers, options.agent, row.fetched_ms);
  return AreSignalsKnown(page.row.signals) && signals != HeaderSignals(page.row.signals);
}

ContentRow ContentOf(const FetchPage& page, const FetchRow& row, std::string body) {
  ContentRow content;
  content.key = row.key;
  content.url = row.url;
  content.kind = row.kind;
  content.fetched_ms = row.fetched_ms;
  content.began_ms = row.began_ms;
  content.content_type = row.content_type;
  content.headers = row.response_headers;
  content.body = std::move(body);
  content.body_digest = row.body_digest;
  content.kept_codings = row.kept_codings;
  content.truncated = row.truncated;
  content.depth = row.depth;
  content.score = row.score;
  content.first_parse = page.row.parser == 0;
  return content;
}

}  // namespace trawl
