#include "jobs/verb/row_json.h"

#include "formats/digests/digest.h"
#include "formats/url/key.h"
#include "runtime/terminal/text.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

namespace {

// The operator's decisions; null where there is none.
Json DelayJson(int32_t delay_ms) { return delay_ms == 0 ? Json() : Json(std::max(delay_ms, 0)); }
Json LimitJson(int64_t pages) { return pages == 0 ? Json() : Json(pages); }

Json Millionths(int32_t value) { return static_cast<double>(value) / kScoreOne; }

// key=value lines as an object.
Json MetadataJson(const std::string& metadata) {
  Json object = Json::object();
  for (size_t begin = 0; begin < metadata.size();) {
    const size_t end = std::min(metadata.find('\n', begin), metadata.size());
    const std::string pair = metadata.substr(begin, end - begin);
    const size_t equals = pair.find('=');
    object[pair.substr(0, equals)] = equals == std::string::npos ? "" : pair.substr(equals + 1);
    begin = end + 1;
  }
  return object;
}

}  // namespace

std::string MembersText(const Json& object, size_t columns) {
  std::string text;
  for (const auto& [name, value] : object.items()) {
    if (value.is_null() || value == Json("") || (value.is_object() && value.empty())) continue;
    text += PadRight(name, columns) + (value.is_string() ? value.get<std::string>() : DumpJson(value)) + "\n";
  }
  return text;
}

Json TextOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json UrlOrNull(const std::string& key) {
  if (key.empty()) return nullptr;
  const auto url = UrlOfKey(key);
  return url.ok() ? Json(*url) : Json(key);
}

Json TimeJson(int64_t time_ms) { return time_ms == 0 || time_ms == kNever ? Json() : Json(FormatTimestamp(time_ms)); }

std::string ReasonOf(const UrlRow& row) {
  const std::string outcome = TextOf(row.outcome);
  if (outcome.empty() || row.reason.empty()) return outcome + row.reason;
  return outcome + ": " + row.reason;
}

Json UrlJson(const UrlRow& row) {
  return {{"url", UrlOrNull(row.key)},
          {"request", RequestUrl(row)},
          {"key", row.key},
          {"kind", TextOf(row.kind)},
          {"state", TextOf(row.state)},
          {"status", row.status == 0 ? Json() : Json(row.status)},
          {"outcome", TextOrNull(TextOf(row.outcome))},
          {"reason", TextOrNull(ReasonOf(row))},
          {"depth", row.depth},
          {"seed", row.is_seed},
          {"score", Millionths(row.score)},
          {"fixed_score", row.fixed_score},
          {"tier", TextOrNull(TextOf(row.tier))},
          {"due", TimeJson(row.due_ms)},
          {"due_set", TimeJson(row.due_set_ms)},
          {"interval_ms", row.interval_ms},
          {"own_interval_ms", row.fixed_interval_ms == 0 ? Json() : Json(row.fixed_interval_ms)},
          {"discovered", TimeJson(row.discovered_ms)},
          {"via", UrlOrNull(row.via)},
          {"fetched_at", TimeJson(row.fetched_ms)},
          {"changed_at", TimeJson(row.changed_ms)},
          {"fetches", row.fetches},
          {"retries", row.retries},
          {"unchanged", row.unchanged},
          {"change_rate", Millionths(row.change_rate)},
          {"response_ms", row.response_ms},
          {"content_type", TextOrNull(row.content_type)},
          {"bytes", row.bytes},
          {"truncated", TextOrNull(TextOf(row.truncated))},
          {"etag", TextOrNull(row.etag)},
          {"last_modified", TextOrNull(row.last_modified)},
          {"body_digest", TextOrNull(ToHex(std::string_view(row.body_digest)))},
          {"content_digest", TextOrNull(ToHex(std::string_view(row.content_digest)))},
          {"segment", TextOrNull(row.body_segment)},
          {"redirect", UrlOrNull(row.redirect_to)},
          {"canonical", UrlOrNull(row.canonical_to)},
          {"inlinks", row.inlinks},
          {"metadata", MetadataJson(row.metadata)}};
}

Json HostJson(const HostRow& row) {
  static constexpr const char* kBreakerTexts[] = {"closed", "open", "half-open"};
  const auto breaker = static_cast<size_t>(row.breaker);
  return {{"host", HostOfKey(row.key)},
          {"blocked", row.blocked},
          {"reason", TextOrNull(row.operator_reason)},
          {"operator_delay_ms", DelayJson(row.operator_delay_ms)},
          {"operator_pages_a_day", LimitJson(row.operator_pages_a_day)},
          {"operator_pages", LimitJson(row.operator_pages)},
          {"discovered_at", TimeJson(row.discovered_ms)},
          {"delay_ms", row.delay_ms},
          {"response_ms", row.response_ms},
          {"answered", TimeJson(row.answered_ms)},
          {"not_before", TimeJson(row.not_before_ms)},
          {"breaker", breaker < 3 ? kBreakerTexts[breaker] : "unknown"},
          {"breaker_until", TimeJson(row.breaker_until_ms)},
          {"slow_until", TimeJson(row.slow_until_ms)},
          {"pages_today", row.pages_today},
          {"pages", row.pages},
          {"bytes", row.bytes},
          {"discovered", row.discovered},
          {"fetched", row.fetched},
          {"suspected_trap", row.suspected_trap},
          {"addresses", row.addresses}};
}

Json DomainJson(const std::string& name, const DomainRecord& record) {
  return {{"domain", name},
          {"blocked", record.blocked},
          {"reason", TextOrNull(record.operator_reason)},
          {"operator_delay_ms", DelayJson(record.operator_delay_ms)},
          {"operator_pages_a_day", LimitJson(record.operator_pages_a_day)},
          {"operator_pages", LimitJson(record.operator_pages)},
          {"day", TimeJson(record.day_start_ms)},
          {"pages_today", record.pages_today},
          {"pages", record.pages}};
}

}  // namespace trawl
