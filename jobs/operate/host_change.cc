#include "jobs/operate/host_change.h"

#include <algorithm>
#include <limits>

#include "formats/address/address.h"
#include "formats/url/domain.h"
#include "formats/url/key.h"
#include "jobs/segment/held_domains.h"
#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

void ClearBreaker(HostRow* row) {
  row->breaker = BreakerState::kClosed;
  row->breaker_until_ms = 0;
  row->breaker_openings = row->failures_in_a_row = 0;
}

// It may be suspected again for what comes from now on.
void ClearTrap(HostRow* row) {
  if (!row->suspected_trap) return;
  row->trap_cleared = true;
  row->suspected_trap = false;
  row->cleared_discovered = row->discovered;
  row->cleared_fetched = row->fetched;
}

void ClearSlow(HostRow* row) {
  row->window_start_ms = row->slow_until_ms = 0;
  row->window_requests = row->window_failures = 0;
}

void ClearThrottle(HostRow* row) {
  row->not_before_ms = 0;
  row->throttle_factor = row->good_answers = row->surcharge_ms = 0;
  row->delay_ms = 0;
}

struct HoldKind {
  const char* name;
  void (*clear)(HostRow* row);
};
constexpr HoldKind kHoldKinds[] = {
    {"breaker", ClearBreaker}, {"trap", ClearTrap}, {"slow", ClearSlow}, {"throttle", ClearThrottle}};
constexpr char kPatterns[] = "patterns", kAll[] = "all";

bool HasKind(const HostChange& change, const char* kind) {
  return std::find(change.clear.begin(), change.clear.end(), kind) != change.clear.end();
}

// A host's row and a domain's record name these alike.
template <typename Limits>
void ApplyLimits(const HostChange& change, Limits* limits) {
  if (change.blocked) limits->blocked = *change.blocked;
  if (change.delay_ms) limits->operator_delay_ms = *change.delay_ms;
  if (change.pages_a_day)
    limits->operator_pages_a_day = static_cast<decltype(limits->operator_pages_a_day)>(*change.pages_a_day);
  if (change.pages) limits->operator_pages = *change.pages;
  const bool is_unblocked = change.blocked && !*change.blocked;
  const bool decides = limits->blocked || limits->operator_delay_ms != 0 || limits->operator_pages_a_day != 0 ||
                       limits->operator_pages != 0;
  if (is_unblocked || !decides) limits->operator_reason.clear();
  if (change.reason && decides) limits->operator_reason = *change.reason;
}

template <typename T>
void Put(const char* name, const std::optional<T>& value, Json* json) {
  if (value) (*json)[name] = *value;
}

}  // namespace

const char* HoldKinds() { return "breaker|trap|slow|throttle|patterns|all"; }

bool ClearsPatterns(const HostChange& change) { return HasKind(change, kPatterns) || HasKind(change, kAll); }

std::string HostTarget::Name() const { return (is_domain ? "the domain " : "") + HostOfKey(key); }

void Apply(const HostChange& change, bool to_domain, HostRow* row) {
  if (to_domain) return ApplyLimits(change, &row->domain);
  ApplyLimits(change, row);
  for (const HoldKind& kind : kHoldKinds) {
    if (HasKind(change, kind.name) || HasKind(change, kAll)) kind.clear(row);
  }
}

Json ToJson(const HostChange& change) {
  Json json = Json::object();
  Put("blocked", change.blocked, &json);
  Put("reason", change.reason, &json);
  Put("delay_ms", change.delay_ms, &json);
  Put("pages_a_day", change.pages_a_day, &json);
  Put("pages", change.pages, &json);
  if (!change.clear.empty()) json["clear"] = change.clear;
  return json;
}

Result<HostChange> HostChangeFromJson(const Json& json) {
  HostChange change;
  if (HasMember(json, "blocked")) {
    ARROW_ASSIGN_OR_RAISE(change.blocked, GetBool(json, "blocked"));
  }
  if (HasMember(json, "reason")) {
    ARROW_ASSIGN_OR_RAISE(change.reason, GetString(json, "reason"));
  }
  if (HasMember(json, "delay_ms")) {
    ARROW_ASSIGN_OR_RAISE(const int64_t delay_ms, GetInt(json, "delay_ms"));
    change.delay_ms = static_cast<int32_t>(delay_ms);
  }
  if (HasMember(json, "pages_a_day")) {
    ARROW_ASSIGN_OR_RAISE(change.pages_a_day, GetInt(json, "pages_a_day"));
  }
  if (HasMember(json, "pages")) {
    ARROW_ASSIGN_OR_RAISE(change.pages, GetInt(json, "pages"));
  }
  if (HasMember(json, "clear")) {
    ARROW_ASSIGN_OR_RAISE(change.clear, GetStrings(json, "clear"));
  }
  return change;
}

Result<HostTarget> HostTargetOf(const std::string& text, NormalForm form) {
  const bool is_url = text.find("://") != std::string::npos;
  const Result<std::string> url = NormalizeUrl(is_url ? text : "https://" + text + "/", form);
  if (!url.ok())
    return UsageError("'", text.substr(0, 80), "' is neither a host nor a URL (", url.status().message(),
                      "); write a name like www.example.com");
  ARROW_ASSIGN_OR_RAISE(const std::string key, KeyOfUrl(*url));
  return HostTarget{.key = std::string(HostPartOfKey(key))};
}

Result<HostTarget> DomainTargetOf(const std::string& text, NormalForm form) {
  ARROW_ASSIGN_OR_RAISE(HostTarget target, HostTargetOf(text, form));
  target.is_domain = true;
  const std::string host = HostOfKey(target.key);
  if (host.find('.') != std::string::npos && !IpAddress::Parse(host) &&
      PublicSuffixes::BuiltIn().RegistrableDomain(host).empty()) {
    return UsageError(host, " is a public suffix: strangers have domains below it; name each of their domains");
  }
  const std::string domain = HoldingDomainOf(target.key);
  if (domain == target.key) return target;
  return UsageError(HostOfKey(target.key), " is a host of the domain ", HostOfKey(domain), "; write ",
                    HostOfKey(domain), " for the domain, or name ", HostOfKey(target.key), " as a host");
}

}  // namespace trawl
