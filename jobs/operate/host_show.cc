#include "jobs/operate/host_show.h"

#include <optional>

#include "formats/rows/host_row.h"
#include "formats/rows/settle_rows.h"
#include "formats/rows/some_columns.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "jobs/operate/host_robots.h"
#include "jobs/policy/advice.h"
#include "jobs/segment/held_domains.h"
#include "jobs/sites/mirrors.h"
#include "jobs/sites/parameters.h"
#include "jobs/sites/patterns.h"
#include "jobs/verb/row_json.h"
#include "jobs/verb/typed_root.h"
#include "runtime/process/status_detail.h"
#include "runtime/tables/key_lookup.h"
#include "runtime/tables/merge_scan.h"
#include "runtime/terminal/text.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

Result<HostRow> FindHost(Store* store, const Manifest& snapshot, const std::string& key) {
  ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<HostRow>(store, snapshot));
  ARROW_ASSIGN_OR_RAISE(std::optional<HostRow> row, FindRow<HostRow>(*table, key));
  if (row && !row->removed) return *std::move(row);
  HostRow fresh;
  fresh.key = key;
  return fresh;
}

template <typename Row>
Result<bool> HasRows(Store* store, const Manifest& snapshot, const std::string& key) {
  ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<Row>(store, snapshot));
  ARROW_ASSIGN_OR_RAISE(const KeyRange range, KeyRangeOfHost(HostOfKey(key)));
  const uint32_t slot = SlotOfKey(key);
  const ScanOptions options = {
      .slots = {slot, slot + 1}, .from_key = range.from, .to_key = range.to, .wanted = Columns<Row>({"key"}).Flags()};
  ARROW_ASSIGN_OR_RAISE(const auto scan, MergeScan::Open(std::move(table), options));
  RowSpan span;
  return scan->Next(&span);
}

Result<bool> IsKnown(Store* store, const Manifest& snapshot, const HostRow& row) {
  if (TellsOfHost(row)) return true;
  ARROW_ASSIGN_OR_RAISE(const bool has_urls, HasRows<UrlRow>(store, snapshot, row.key));
  return has_urls ? true : HasRows<PatternRow>(store, snapshot, row.key);
}

Json UnknownJson(const HostTarget& target) { return {{"host", HostOfKey(target.key)}, {"known", false}}; }

std::string UnknownText(const VerbContext& context, const HostTarget& target) {
  if (!target.is_domain) {
    return WithRoot(
        "the crawl knows no host " + HostOfKey(target.key) + "; trawl readdb hosts lists those that it knows\n",
        TypedRoot(context.options));
  }
  return "the crawl has asked for no page of " + target.Name() + ", and nothing is decided about it\n";
}

// One line per member, also for those of the domain.
std::string TargetText(Json json) {
  json.erase("known");
  Json mirrors = Json::array();
  if (HasMember(json, "mirrors")) mirrors.swap(json["mirrors"]);
  const Json domain = HasMember(json, "of_domain") ? json["of_domain"] : Json::object();
  json.erase("of_domain");
  for (const auto& [name, value] : domain.items()) json[name == "domain" ? name : "domain_" + name] = value;
  std::string text = MembersText(json, 30);
  for (const Json& mirror : mirrors) text += PadRight("mirrors", 30) + mirror["text"].get<std::string>() + "\n";
  return text;
}

}  // namespace

Result<Json> HostTargetJson(Store* store, const Manifest& snapshot, const HostTarget& target, TimeMs now_ms) {
  ARROW_ASSIGN_OR_RAISE(const HostRow row, FindHost(store, snapshot, target.key));
  if (target.is_domain) {
    Json json = DomainJson(HostOfKey(target.key), row.domain, now_ms);
    json["known"] = row.domain != DomainRecord();
    return json;
  }
  ARROW_ASSIGN_OR_RAISE(const bool is_known, IsKnown(store, snapshot, row));
  if (!is_known) return UnknownJson(target);
  Json json = HostJson(row, now_ms);
  json["known"] = true;
  const std::string domain = HoldingDomainOf(target.key);
  ARROW_ASSIGN_OR_RAISE(const HostRow domain_row, FindHost(store, snapshot, domain));
  json["of_domain"] = DomainJson(HostOfKey(domain), domain_row.domain, now_ms);
  return json;
}

const HostView kRobotsView = {"robots",
                              [](VerbContext& context, const Crawl& crawl, const std::string& key) -> Result<Json> {
                                ARROW_ASSIGN_OR_RAISE(const HostRow row,
                                                      FindHost(crawl.store(), crawl.manifest(), key));
                                return HostRobotsJson(crawl.store(), crawl.manifest(), row, context.global.now_ms);
                              },
                              HostRobotsText};
const HostView kPatternsView = {"patterns",
                                [](VerbContext&, const Crawl& crawl, const std::string& key) {
                                  return HostPatternsJson(crawl.store(), crawl.manifest(), key);
                                },
                                HostPatternsText};
const HostView kSuggestView = {"suggest",
                               [](VerbContext& context, const Crawl& crawl, const std::string& key) {
                                 return SuggestionsJson(crawl.store(), crawl.manifest(), HostOfKey(key),
                                                        context.process.stop);
                               },
                               SuggestionsText};

Result<int> ShowView(VerbContext& context, const Crawl& crawl, const HostView& view,
                     const std::vector<HostTarget>& targets) {
  bool all_known = true;
  for (const HostTarget& target : targets) {
    if (target.is_domain) return UsageError("--", view.option, " is about one host, not about a domain; name a host");
    ARROW_ASSIGN_OR_RAISE(const HostRow row, FindHost(crawl.store(), crawl.manifest(), target.key));
    ARROW_ASSIGN_OR_RAISE(const bool is_known, IsKnown(crawl.store(), crawl.manifest(), row));
    all_known = all_known && is_known;
    if (!is_known) {
      ARROW_RETURN_NOT_OK(context.Answer(UnknownJson(target), UnknownText(context, target)));
      continue;
    }
    ARROW_ASSIGN_OR_RAISE(const Json json, view.json(context, crawl, target.key));
    const std::string between = targets.size() > 1 ? "\n" : "";
    ARROW_RETURN_NOT_OK(context.Answer(json, view.text(json) + between));
  }
  return all_known ? kExitDone : kExitNothingDue;
}

Result<int> ShowTargets(VerbContext& context, const Crawl& crawl, const std::vector<HostTarget>& targets) {
  bool all_known = true;
  for (const HostTarget& target : targets) {
    ARROW_RETURN_NOT_OK(context.process.stop.Check());
    ARROW_ASSIGN_OR_RAISE(Json json, HostTargetJson(crawl.store(), crawl.manifest(), target, context.global.now_ms));
    const bool is_known = json["known"].get<bool>();
    if (is_known && !target.is_domain && targets.size() == 1) {
      ARROW_ASSIGN_OR_RAISE(json["mirrors"],
                            MirrorsJson(crawl.store(), crawl.manifest(), HostOfKey(target.key), context.process.stop));
    }
    all_known = all_known && is_known;
    const std::string between = targets.size() > 1 ? "\n" : "";
    ARROW_RETURN_NOT_OK(context.Answer(json, is_known ? TargetText(json) + between : UnknownText(context, target)));
  }
  return all_known ? kExitDone : kExitNothingDue;
}

}  // namespace trawl
