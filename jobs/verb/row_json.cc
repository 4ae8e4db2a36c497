#include "jobs/verb/row_json.h"

#include "formats/digests/digest.h"
#include "formats/rows/directives.h"
#include "formats/rows/page_facts_row.h"
#include "formats/url/key.h"
#include "jobs/policy/sitemap_options.h"
#include "runtime/terminal/text.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

namespace {

// The operator's decisions; null where there is none.
Json DelayJson(int32_t delay_ms) { return delay_ms == 0 ? Json() : Json(std::max(delay_ms, 0)); }
Json LimitJson(int64_t pages) { return pages == 0 ? Json() : Json(pages); }

Json Millionths(int32_t value) { return static_cast<double>(value) / kScoreOne; }

// A stated 0 is stored as 1.
int32_t StatedPriorityOf(const UrlRow& row) { return row.stated_priority == 1 ? 0 : row.stated_priority; }

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

// The count in a row is that of the last day on which pages were asked for.
template <typename Counted>
int64_t PagesOfDay(const Counted& row, TimeMs now_ms) {
  const bool is_today = row.day_start_ms <= now_ms && now_ms < row.day_start_ms + kDayMs;
  return is_today ? row.pages_today : 0;
}

Json NamesOfSignals(int32_t signals) {
  Json names = Json::array();
  for (size_t bit = 0; bit < std::size(kSignalNames); ++bit) {
    if (signals >> bit & 1) names.push_back(kSignalNames[bit]);
  }
  return names;
}

}  // namespace

std::string MembersText(const Json& object, size_t columns) {
  std::string text;
  for (const auto& [name, value] : object.items()) {
    if (value.is_null() || value == Json("") || (value.is_structured() && value.empty())) continue;
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

Json TdmJson(const ParseRow& row) { return row.tdm_reservation == 0 ? Json() : Json(row.tdm_reservation == 1); }

Json AlternatesJson(const ParseRow& row) {
  Json list = Json::array();
  std::string_view rest = row.alternates;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const size_t tab = line.find('\t');
    if (tab != std::string_view::npos)
      list.push_back({{"language", line.substr(0, tab)}, {"url", line.substr(tab + 1)}});
  }
  return list;
}

Json FactsJson(const PageFactsRow* facts) {
  static const PageFactsRow kNothing;
  const PageFactsRow& row = facts == nullptr ? kNothing : *facts;
  const bool was_searched = row.main_rule != 0;
  return {{"main_from", was_searched ? Json(TextOf(row.main_from)) : Json()},
          {"main_rule", was_searched ? Json(row.main_rule) : Json()},
          {"main_words", was_searched ? Json(row.main_words) : Json()},
          {"words", facts == nullptr ? Json() : Json(row.words)},
          {"link_density", was_searched ? Millionths(row.link_density_millionths) : Json()},
          {"challenge", TextOrNull(row.challenge)},
          {"soft_404", TextOrNull(row.soft_404)},
          {"published", TimeJson(row.published_ms)},
          {"published_from", TextOrNull(row.published_from)},
          {"modified", TimeJson(row.modified_ms)},
          {"modified_from", TextOrNull(row.modified_from)},
          {"author", TextOrNull(row.author)},
          {"author_from", TextOrNull(row.author_from)},
          {"headline", TextOrNull(row.headline)},
          {"headline_from", TextOrNull(row.headline_from)},
          {"image", TextOrNull(row.image)},
          {"image_from", TextOrNull(row.image_from)},
          {"site_name", TextOrNull(row.site_name)},
          {"site_name_from", TextOrNull(row.site_name_from)},
          {"schema_types", TextOrNull(row.schema_types)},
          {"og_type", TextOrNull(row.og_type)},
          {"items", facts == nullptr ? Json() : Json(row.items)}};
}

std::string ReasonOf(const UrlRow& row) {
  const std::string outcome = TextOf(row.outcome);
  if (outcome.empty() || row.reason.empty()) return outcome + row.reason;
  return outcome + ": " + row.reason;
}

std::string DuplicateText(const UrlRow& row) {
  const bool is_near = row.duplicate_of.empty();
  const std::string& key = is_near ? row.near_duplicate_of : row.duplicate_of;
  if (key.empty()) return "";
  const std::string url = UrlOfKey(key).ValueOr(key);
  std::string text = is_near ? "nearly the same as " + url + " (" + std::to_string(row.distance) + " of 64 bits differ)"
                             : "duplicate of " + url;
  if (row.state != UrlState::kDuplicate) return text;
  return text + (row.fixed_interval_ms > 0 ? "; looked at again at the interval that the operator set"
                                           : "; looked at again at twice its interval");
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
          {"duplicate_of", UrlOrNull(row.duplicate_of)},
          {"near_duplicate_of", UrlOrNull(row.near_duplicate_of)},
          {"distance", row.near_duplicate_of.empty() ? Json() : Json(row.distance)},
          {"inlinks", row.inlinks},
          {"signals", NamesOfSignals(row.signals)},
          {"sitemap", UrlOrNull(row.sitemap)},
          {"stated_priority", row.stated_priority == 0 ? Json() : Millionths(StatedPriorityOf(row))},
          {"stated_interval_ms", row.stated_interval_ms == 0 ? Json() : Json(row.stated_interval_ms)},
          {"stated_lastmod", TimeJson(row.stated_lastmod_ms)},
          {"entries", row.kind == UrlKind::kPage ? Json() : Json(row.entries)},
          {"metadata", MetadataJson(row.metadata)}};
}

Json HostJson(const HostRow& row, TimeMs now_ms) {
  static constexpr const char* kBreakerTexts[] = {"closed", "open", "half-open"};
  const auto breaker = static_cast<size_t>(row.breaker);
  Json json = {{"host", HostOfKey(row.key)},
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
               {"pages_today", PagesOfDay(row, now_ms)},
               {"pages", row.pages},
               {"bytes", row.bytes},
               {"discovered", row.discovered},
               {"fetched", row.fetched},
               {"suspected_trap", row.suspected_trap},
               {"addresses", row.addresses},
               {"sitemaps", SitemapTrustText(row)},
               {"lastmods_checked", row.lastmods_checked},
               {"lastmods_wrong", row.lastmods_wrong},
               {"priorities_stated", row.priorities_stated},
               {"priorities_top", row.priorities_top},
               {"guessed_sitemap", TimeJson(row.default_sitemap_ms)}};
  // Of the registrable domain of that name. Other hosts of it have rows of their own, which do not tell.
  if (row.domain.blocked) json["domain_blocked"] = true;
  return json;
}

Json DomainJson(const std::string& name, const DomainRecord& record, TimeMs now_ms) {
  return {{"domain", name},
          {"blocked", record.blocked},
          {"reason", TextOrNull(record.operator_reason)},
          {"operator_delay_ms", DelayJson(record.operator_delay_ms)},
          {"operator_pages_a_day", LimitJson(record.operator_pages_a_day)},
          {"operator_pages", LimitJson(record.operator_pages)},
          {"day", TimeJson(record.day_start_ms)},
          {"pages_today", PagesOfDay(record, now_ms)},
          {"pages", record.pages}};
}

}  // namespace trawl
