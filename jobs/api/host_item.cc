#include "jobs/api/host_item.h"

#include <algorithm>

#include "formats/rows/some_columns.h"
#include "formats/rows/times.h"
#include "formats/url/key.h"
#include "jobs/api/endpoints.h"
#include "jobs/api/host_urls.h"
#include "jobs/fetch/identity.h"
#include "jobs/operate/host_robots.h"
#include "jobs/operate/host_show.h"
#include "jobs/politeness/quota.h"
#include "jobs/segment/held_domains.h"
#include "jobs/select/url_holds.h"
#include "jobs/sites/mirrors.h"
#include "jobs/verb/row_json.h"
#include "jobs/views/failure.h"
#include "runtime/tables/merge_scan.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kMostHostsOfDomain = 1000;

std::vector<std::string> WordsOf(const std::string& text) {
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// The hold of the list: the first that the row has.
Json HoldOf(const HostRow& row, TimeMs now_ms) {
  for (const char* kind : kHostHoldKinds) {
    if (!HasHold(row, kind, now_ms)) continue;
    const std::string name = kind;
    const TimeMs until_ms = name == "breaker_open" ? row.breaker_until_ms
                            : name == "throttled"  ? row.not_before_ms
                            : name == "slow"       ? row.slow_until_ms
                                                   : 0;
    const std::string words = name == "blocked"
                                  ? "blocked" + (row.operator_reason.empty() ? "" : ": " + row.operator_reason)
                              : name == "breaker_open" ? "its breaker is open, after failures"
                              : name == "throttled"    ? "it asked to be left alone"
                              : name == "slow"         ? "it is among the slow hosts, for its errors"
                                                       : "it looks like a trap";
    return {{"kind", kind}, {"until", TimeJson(until_ms)}, {"text", words}};
  }
  return nullptr;
}

// Where the delay comes from.
Json DelayJson(const UrlStanding& standing, const FetchOptions& fetch) {
  const HostRow& host = standing.host;
  if (host.operator_delay_ms != 0) {
    const int64_t ms = std::max(host.operator_delay_ms, 0);
    return {{"ms", ms}, {"from", "operator"}, {"text", "as the operator set it"}};
  }
  if (standing.crawl_delay.ms && *standing.crawl_delay.ms >= host.delay_ms && *standing.crawl_delay.ms > 0) {
    return {{"ms", *standing.crawl_delay.ms}, {"from", "robots.txt"}, {"text", "the Crawl-delay of its robots.txt"}};
  }
  if (host.delay_ms == 0)
    return {{"ms", fetch.delay_ms}, {"from", "default"}, {"text", "the usual one (--fetch.delay_ms)"}};
  std::string text = "as it was at the last answer";
  if (host.throttle_factor > 0) text += ", made longer because the host asked for it";
  return {{"ms", host.delay_ms}, {"from", host.throttle_factor > 0 ? "throttled" : "last answer"}, {"text", text}};
}

// The hold that lasts longest, as generate leaves its URLs out; of those that end at the same time the first.
Json StandingHold(const UrlStanding& standing, const FetchOptions& fetch, TimeMs now_ms) {
  Json longest;
  TimeMs longest_ms = 0;
  const auto hold = [&](const char* kind, TimeMs until_ms, const std::string& text) {
    if (until_ms <= longest_ms) return;
    longest_ms = until_ms;
    longest = {{"kind", kind}, {"until", TimeJson(until_ms)}, {"text", text}};
  };
  const DomainShare& domain = standing.domain_share;
  if (domain.left_out != LeftOut::kNone) hold(NameOf(domain.left_out), domain.until_ms, DomainHoldText(standing));
  const HostShare& share = standing.share;
  if (share.left_out != LeftOut::kNone) hold(NameOf(share.left_out), share.until_ms, HostHoldText(standing, fetch));
  if (standing.wait.until_ms() > 0) hold(standing.wait.kind(), standing.wait.until_ms(), standing.wait.text());
  if (standing.holder) {
    hold("segment", standing.holder->until_ms,
         "segment " + standing.holder->segment + " holds its domain until it is applied");
  }
  return longest.is_null() ? HoldOf(standing.host, now_ms) : longest;
}

Result<UrlStanding> StandingOf(const ApiCall& call, const std::string& host_part, FetchOptions* fetch) {
  const View& view = *call.view;
  HoldContext context = {.store = view.store(), .snapshot = &view.manifest(), .now_ms = call.now_ms};
  ARROW_ASSIGN_OR_RAISE(context.generate, view.options().Read(GenerateOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(context.fetch, view.options().Read(FetchOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(context.robots, view.options().Read(RobotsOptionGroup()));
  *fetch = context.fetch;
  return ReadStanding(context, host_part + ")/");
}

// The hosts of a registrable domain, which lie in many slots: one look over the hosts table, as far as one answer looks.
struct DomainHosts {
  std::vector<HostRow> rows;
  bool is_cut = false;
};
Result<DomainHosts> HostsOfDomain(const ApiCall& call, const std::string& domain_part) {
  DomainHosts hosts;
  ARROW_ASSIGN_OR_RAISE(const auto table, call.view->Open<HostRow>());
  ScanBudget budget(call);
  const ScanOptions range = {
      .wanted =
          Columns<HostRow>({"key", "pages", "bytes", "answered_ms", "fetched", "discovered", "response_ms"}).Flags()};
  ARROW_ASSIGN_OR_RAISE(const auto share, call.surroundings.memory->Take(BytesOfScan(*table, range.wanted), call.stop));
  ARROW_ASSIGN_OR_RAISE(const auto scan, MergeScan::Open(table, range));
  const size_t key = ColumnIndex<HostRow>("key");
  RowSpan span;
  while (!hosts.is_cut) {
    ARROW_RETURN_NOT_OK(call.stop.Check());
    ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
    if (!more) break;
    hosts.is_cut = budget.IsUsedUp(span.end - span.begin);
    for (int64_t i = span.begin; i < span.end; ++i) {
      const std::string_view part = span.batch->columns[key].GetBytes(i);
      const bool is_below =
          part.starts_with(domain_part) && (part.size() == domain_part.size() || part[domain_part.size()] == ',');
      if (!is_below) continue;
      if (hosts.rows.size() == kMostHostsOfDomain) {
        hosts.is_cut = true;
        break;
      }
      ReadFromBatch(*span.batch, i, &hosts.rows.emplace_back());
    }
  }
  std::erase_if(hosts.rows, [](const HostRow& row) { return !TellsOfHost(row); });
  return hosts;
}

void SumHosts(const DomainHosts& hosts, Json* json) {
  int64_t pages = 0, fetched = 0, bytes = 0;
  TimeMs last_ms = 0;
  Json names = Json::array();
  for (const HostRow& row : hosts.rows) {
    pages += row.pages;
    fetched += row.fetched;
    bytes += row.bytes;
    last_ms = std::max(last_ms, row.answered_ms);
    names.push_back(HostOfKey(row.key));
  }
  (*json)["last_crawl_at"] = TimeJson(last_ms);
  (*json)["total_pages"] = fetched;
  (*json)["pages_crawled"] = pages;
  (*json)["avg_page_size"] = pages == 0 ? 0 : bytes / pages;
  (*json)["hosts"] = std::move(names);
  (*json)["hosts_are_cut"] = hosts.is_cut;
}

}  // namespace

bool HasHold(const HostRow& row, const std::string& kind, TimeMs now_ms) {
  if (kind == "blocked") return row.blocked || row.domain.blocked;
  if (kind == "breaker_open") return row.breaker == BreakerState::kOpen && row.breaker_until_ms > now_ms;
  if (kind == "throttled") return row.not_before_ms > now_ms;
  if (kind == "slow") return row.slow_until_ms > now_ms;
  return kind == "suspected_trap" && IsTrap(row);
}

Json HostItem(const HostRow& row, TimeMs now_ms) {
  const int64_t delay_ms = row.operator_delay_ms != 0 ? std::max(row.operator_delay_ms, 0) : row.delay_ms;
  Json json = {{"domain", HostOfKey(row.key)},
               {"crawl_delay", delay_ms},
               {"last_crawl_at", TimeJson(row.answered_ms)},
               {"total_pages", row.fetched},
               {"avg_page_size", row.pages == 0 ? 0 : row.bytes / row.pages},
               {"is_blocked", row.blocked || row.domain.blocked},
               {"avg_response_ms", row.response_ms},
               {"pages_crawled", row.pages},
               {"created_at", TimeJson(row.discovered_ms)},
               {"hold", HoldOf(row, now_ms)},
               {"failures_in_a_row", row.failures_in_a_row}};
  json.update(HostJson(row, now_ms));
  json["addresses"] = WordsOf(row.addresses);
  return json;
}

Json HostItem(const HostRow& row, const std::optional<HostHold>& hold, TimeMs now_ms) {
  Json json = HostItem(row, now_ms);
  if (!hold) return json;
  const bool is_longer =
      std::max(row.not_before_ms, row.breaker == BreakerState::kOpen ? row.breaker_until_ms : 0) < hold->until_ms;
  if (is_longer && json["is_blocked"] == false) {
    json["hold"] = {{"kind", hold->kind}, {"until", TimeJson(hold->until_ms)}, {"text", hold->text}};
  }
  return json;
}

namespace {

constexpr TimeMs kExampleMs = 1'767'268'800'000;  // 2026-01-01T12:00:00Z

HostRow ExampleRow() {
  HostRow row;
  row.key = "com,example,www";
  row.answered_ms = kExampleMs - 60'000;
  row.not_before_ms = kExampleMs + 30'000;
  row.response_ms = 85;
  row.delay_ms = 1'000;
  row.pages_today = 120;
  row.pages = 5'400;
  row.bytes = 81'000'000;
  row.discovered = 7'100;
  row.fetched = 5'150;
  row.addresses = "192.0.2.7";
  row.discovered_ms = kExampleMs - 30 * kDayMs;
  return row;
}

}  // namespace

Json HostItemExample() { return HostItem(ExampleRow(), kExampleMs); }

Json WholeHostExample() {
  const std::string denied = "line 2: Disallow: /private/", text = "User-agent: *\nDisallow: /private/\n";
  const Json asked = TimeJson(kExampleMs - kHourMs), history = Json::array({"2026-01-01T11:00:00.000Z fetched 200"});
  Json json = HostItemExample();
  json["robots_txt"] = text;
  json["robots_fetched_at"] = asked;
  json["robots_history"] = history;
  json["robots"] = Json::array({{{"url", "https://www.example.com/robots.txt"},
                                 {"outcome", "fetched"},
                                 {"status", 200},
                                 {"fetched", asked},
                                 {"text", text},
                                 {"history", history}}});
  json["asked_as"] = {{"agent", "trawl"},
                      {"user_agent", "trawl/1.0 (+https://crawler.example/)"},
                      {"contact", "https://crawler.example/"}};
  json["delay"] = {{"ms", 1'000}, {"from", "last answer"}, {"text", "as it was at the last answer"}};
  json["retry_after"] = TimeJson(kExampleMs + 30'000);
  json["states"] = {{"fetched", 5'150}, {"unfetched", 1'900}, {"denied", 50}};
  json["denied_by"] = Json::array({{{"text", denied}, {"line", 2}, {"count", 50}}});
  json["states_are_cut"] = false;
  json["mirrors"] = Json::array();
  return json;
}

Result<Json> WholeHost(const ApiCall& call, const std::string& name) {
  const View& view = *call.view;
  ARROW_ASSIGN_OR_RAISE(const std::string part, HostPartOfName(name, view.normal_form()));
  ARROW_ASSIGN_OR_RAISE(const Json known, HostTargetJson(view.store(), view.manifest(), {.key = part}, call.now_ms));
  const bool is_domain = HoldingDomainOf(part) == part;
  DomainHosts hosts;
  if (is_domain) {
    ARROW_ASSIGN_OR_RAISE(hosts, HostsOfDomain(call, part));
  }
  if (known["known"] != true && hosts.rows.empty()) return Unknown("the crawl knows no host " + HostOfKey(part));
  FetchOptions fetch;
  ARROW_ASSIGN_OR_RAISE(const UrlStanding standing, StandingOf(call, part, &fetch));
  Json json = HostItem(standing.host, call.now_ms);
  json["domain"] = HostOfKey(part);
  json["is_blocked"] = standing.host.blocked || standing.domain.blocked;
  json["hold"] = StandingHold(standing, fetch, call.now_ms);
  if (is_domain) SumHosts(hosts, &json);
  ARROW_ASSIGN_OR_RAISE(const Json robots, HostRobotsJson(view.store(), view.manifest(), standing.host, call.now_ms));
  const Json* first = robots["robots"].empty() ? nullptr : &robots["robots"][0];
  json["robots_txt"] = first == nullptr ? Json() : (*first)["text"];
  json["robots_fetched_at"] = first == nullptr ? Json() : (*first)["text_fetched"];
  json["robots"] = robots["robots"];
  json["robots_history"] = first == nullptr ? Json::array() : (*first)["history"];
  json["breaker_state"] = robots["breaker"];
  json["delay"] = DelayJson(standing, fetch);
  json["asked_as"] = {{"agent", fetch.agent}, {"user_agent", UserAgentOf(fetch)}, {"contact", fetch.contact}};
  json["retry_after"] = standing.host.not_before_ms > call.now_ms ? TimeJson(standing.host.not_before_ms) : Json();
  json["of_domain"] = DomainJson(HostOfKey(standing.domain_key), standing.domain, call.now_ms);
  ARROW_ASSIGN_OR_RAISE(const Json urls, HostUrlsJson(call, part));
  json.update(urls);
  ARROW_ASSIGN_OR_RAISE(json["mirrors"], MirrorsJson(view.store(), view.manifest(), HostOfKey(part), call.stop));
  return json;
}

}  // namespace trawl
