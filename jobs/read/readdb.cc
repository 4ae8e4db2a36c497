// trawl readdb: looks into the crawldb. It reads the urls and hosts tables of one snapshot and writes nothing.
#include <optional>

#include "formats/rows/host_row.h"
#include "formats/url/key.h"
#include "jobs/export/host_walk.h"
#include "jobs/list/listing.h"
#include "jobs/policy/advice.h"
#include "jobs/read/explain.h"
#include "jobs/read/row_options.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/row_json.h"
#include "jobs/verb/typed_root.h"
#include "jobs/verb/url_arguments.h"
#include "runtime/process/status_detail.h"
#include "runtime/tables/key_lookup.h"
#include "runtime/tables/merge_scan.h"
#include "runtime/terminal/text.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// -- get --------------------------------------------------------------------------------------------------------------

struct GetOptions {
  bool explain = false;
};

const OptionGroup<GetOptions>& GetOptionGroup() {
  static const auto group =
      OptionGroup<GetOptions>("get", "What is shown about a URL")
          .Bool("explain", &GetOptions::explain,
                "explain the URL's state, what holds it back, when it is fetched next, and its history")
          .Main();
  return group;
}

// Answers for one URL with its row, or with its explanation where --explain asks for it. `row` is null where the URL is
// not in the crawl.
Status ShowUrl(VerbContext& context, const Crawl& crawl, const std::string& key, const UrlRow* row, Json json,
               std::string text) {
  ARROW_ASSIGN_OR_RAISE(const GetOptions options, context.Read(GetOptionGroup()));
  if (options.explain) {
    const ExplainContext explain = {.store = crawl.store(),
                                    .snapshot = &crawl.manifest(),
                                    .options = context.options.texts(),
                                    .now_ms = context.global.now_ms};
    ARROW_ASSIGN_OR_RAISE(auto lines, ExplainUrl(explain, key, row));
    const std::string root = TypedRoot(context.options);
    for (Explanation& line : lines) line.text = WithRootAndUrl(line.text, root, json["url"].get<std::string>());
    json["explain"] = ToJson(lines);
    text = PadRight("url", 34) + json["url"].get<std::string>() + "\n" + TextOf(lines);
  }
  return context.Answer(json, text);
}

Result<int> RunGet(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenAt(context));
  ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<UrlRow>(crawl->store(), crawl->manifest()));
  bool all_found = true;
  for (const std::string& argument : context.arguments) {
    ARROW_ASSIGN_OR_RAISE(const std::string key, KeyOfArgument(argument, crawl->normal_form()));
    ARROW_ASSIGN_OR_RAISE(const std::optional<UrlRow> row, FindRow<UrlRow>(*table, key));
    if (row && !row->removed) {
      const Json json = UrlJson(*row);
      ARROW_RETURN_NOT_OK(ShowUrl(context, *crawl, key, &*row, json, MembersText(json, 16)));
    } else {
      all_found = false;
      ARROW_ASSIGN_OR_RAISE(const std::string url, UrlOfKey(key));
      const Json json = {{"url", url}, {"state", nullptr}, {"reason", row ? "removed" : "not known"}};
      const std::string text = url + ": not in the crawl" + (row ? " (it was removed)" : "") + "\n";
      ARROW_RETURN_NOT_OK(ShowUrl(context, *crawl, key, nullptr, json, text));
    }
  }
  return all_found ? kExitDone : kExitNothingDue;
}

// -- dump and hosts ---------------------------------------------------------------------------------------------------

// A scan of the URLs with that prefix.
Result<ScanOptions> ScanOfPrefix(const std::string& prefix, NormalForm form) {
  ScanOptions options;
  if (prefix.empty()) return options;
  ARROW_ASSIGN_OR_RAISE(const KeyRange range, KeysOfPrefix(prefix, form));
  const uint32_t slot = SlotOfKey(range.from);
  options.slots = {slot, slot + 1};
  options.from_key = range.from;
  options.to_key = range.to;
  return options;
}

// A scan of all rows of the host of the URLs with that prefix.
Result<ScanOptions> HostScanOfPrefix(const std::string& prefix, NormalForm form) {
  ARROW_ASSIGN_OR_RAISE(ScanOptions options, ScanOfPrefix(prefix, form));
  if (prefix.empty()) return options;
  ARROW_ASSIGN_OR_RAISE(const KeyRange host, KeyRangeOfHost(HostOfKey(options.from_key)));
  options.from_key = host.from;
  options.to_key = host.to;
  return options;
}

ListShape UrlsShape() {
  return {.columns = {{.member = "state"},
                      {.member = "status", .kind = CellKind::kNumber},
                      {.member = "outcome"},
                      {.member = "bytes", .kind = CellKind::kBytes},
                      {.member = "due", .kind = CellKind::kTime},
                      {.member = "url", .is_whole = true}},
          .empty = UrlJson({})};
}

// Whatever keeps a host from being asked as usual.
Json HeldText(const Json& host) {
  std::string text;
  const auto add = [&text](const std::string& word) { text += (text.empty() ? "" : ", ") + word; };
  if (host["blocked"] == true) add("blocked");
  if (HasMember(host, "domain_blocked")) add("its domain is blocked");
  if (host["breaker"] != "closed") add("breaker " + host["breaker"].get<std::string>());
  if (host["suspected_trap"] == true) add("trap");
  if (!host["slow_until"].is_null()) add("slow");
  return text;
}

ListShape HostsShape() {
  return {.columns = {{.member = "host", .is_whole = true},
                      {.member = "pages", .kind = CellKind::kCount},
                      {.member = "fetched", .kind = CellKind::kCount},
                      {.member = "discovered", .title = "found", .kind = CellKind::kCount},
                      {.member = "delay_ms", .title = "delay", .kind = CellKind::kDuration},
                      {.member = "response_ms", .title = "response", .kind = CellKind::kDuration},
                      {.member = "held", .gives_way = true, .value = HeldText}},
          .empty = HostJson({}, 0)};
}

// Rows of a table, printed as they come or sorted. One thread.
class RowList {
 public:
  RowList(VerbContext& context, const DumpOptions& options, SortBy sort, bool reverse, ListShape shape)
      : listing_(context, options.format, std::move(shape)),
        limit_(options.limit),
        sort_(sort),
        best_(limit_, reverse) {}

  bool full() const { return sort_ == SortBy::kNothing && limit_ > 0 && listing_.rows() >= limit_; }
  template <typename Row, typename ToJson>
  Status Add(const Row& row, ToJson&& json) {
    if (sort_ == SortBy::kNothing) return listing_.Add(json(row));
    const int64_t number = SortNumber(sort_, row);
    if (best_.WouldKeep(number)) best_.Add(number, json(row));
    return Status::OK();
  }
  Status Finish() {
    for (const Json& row : best_.Take()) ARROW_RETURN_NOT_OK(listing_.Add(row));
    return listing_.Finish();
  }

 private:
  Listing listing_;
  const int64_t limit_;
  const SortBy sort_;
  BestRows best_;
};

Result<int> RunDump(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenAt(context));
  ARROW_ASSIGN_OR_RAISE(const DumpOptions options, context.Read(DumpOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const UrlFilterOptions wanted, context.Read(UrlFilterOptionGroup()));
  ARROW_RETURN_NOT_OK(CheckSort(wanted.sort, options.limit));
  ARROW_ASSIGN_OR_RAISE(UrlFilter filter, UrlFilter::Make(wanted, crawl->store(), context.global.now_ms));
  ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<UrlRow>(crawl->store(), crawl->manifest()));
  ARROW_ASSIGN_OR_RAISE(const ScanOptions range, ScanOfPrefix(options.prefix, crawl->normal_form()));
  ARROW_ASSIGN_OR_RAISE(const auto scan, MergeScan::Open(table, range));
  RowList rows(context, options, wanted.sort, wanted.reverse, UrlsShape());
  RowSpan span;
  UrlRow row;
  while (!rows.full()) {
    ARROW_RETURN_NOT_OK(context.process.stop.Check());
    ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
    if (!more) break;
    for (int64_t i = span.begin; i < span.end && !rows.full(); ++i) {
      ReadFromBatch(*span.batch, i, &row);
      ARROW_ASSIGN_OR_RAISE(const bool takes, filter.Takes(row));
      if (takes) ARROW_RETURN_NOT_OK(rows.Add(row, UrlJson));
    }
  }
  ARROW_RETURN_NOT_OK(rows.Finish());
  return kExitDone;
}

Result<int> RunHosts(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenAt(context));
  ARROW_ASSIGN_OR_RAISE(const DumpOptions options, context.Read(DumpOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const HostFilterOptions wanted, context.Read(HostFilterOptionGroup()));
  ARROW_RETURN_NOT_OK(CheckSort(wanted.sort, options.limit));
  ARROW_ASSIGN_OR_RAISE(auto urls, Table::Open<UrlRow>(crawl->store(), crawl->manifest()));
  ARROW_ASSIGN_OR_RAISE(auto hosts, Table::Open<HostRow>(crawl->store(), crawl->manifest()));
  ARROW_ASSIGN_OR_RAISE(const ScanOptions scan, HostScanOfPrefix(options.prefix, crawl->normal_form()));
  ARROW_ASSIGN_OR_RAISE(HostWalk walk, HostWalk::Open(std::move(urls), std::move(hosts), scan, wanted.needs_js));
  ScriptPages scripts(crawl->store());
  bool needs_js = false;
  if (wanted.needs_js) {
    walk.VisitUrls([&](const UrlRow& url) -> Status {
      if (needs_js) return Status::OK();
      ARROW_ASSIGN_OR_RAISE(needs_js, scripts.NeedsScript(url));
      return Status::OK();
    });
  }
  RowList rows(context, options, wanted.sort, wanted.reverse, HostsShape());
  const auto to_json = [&context](const HostRow& host) { return HostJson(host, context.global.now_ms); };
  HostRow row;
  bool has_urls = false;
  while (!rows.full()) {
    ARROW_RETURN_NOT_OK(context.process.stop.Check());
    needs_js = false;
    ARROW_ASSIGN_OR_RAISE(const bool more, walk.Next(&row, &has_urls));
    if (!more) break;
    if (wanted.needs_js && !needs_js) continue;
    if (TakesHost(wanted, row, context.global.now_ms)) ARROW_RETURN_NOT_OK(rows.Add(row, to_json));
  }
  ARROW_RETURN_NOT_OK(rows.Finish());
  return kExitDone;
}

}  // namespace

Verb ReaddbStatsVerb();  // stats.cc

std::vector<Verb> ReaddbVerbs() {
  const OptionGroups getting = {&GetOptionGroup(), &ReadingOptionGroup()};
  return {
      ReaddbStatsVerb(),
      {.name = "readdb get",
       .summary = "show a URL, and with --explain why it is fetched or not",
       .purpose = VerbPurpose::kLook,
       .arguments = "URL…",
       .least_arguments = 1,
       .most_arguments = kAnyNumber,
       .description = "Prints what the crawl knows about each URL. --explain prints its state instead, the rule, "
                      "robots.txt line or host condition that holds it back, when it is due next, and its last "
                      "fetches. The exit code is 1 if a URL is not in the crawl.",
       .examples = {{"Show a page", "trawl readdb get https://www.example.com/"},
                    {"Explain why it is not fetched", "trawl readdb get --explain https://www.example.com/"},
                    {"The same for a program", "trawl readdb get --json https://www.example.com/"}},
       .groups = getting,
       .other_groups = ExplainOptionGroups(),
       .run = RunGet},
      {.name = "readdb dump",
       .summary = "list the URLs of the crawl",
       .purpose = VerbPurpose::kLook,
       .description =
           "In the order of the table: by a hash of the host, then by host and path, unless --sort is given. A "
           "URL is printed if it passes every filter; of several values for one filter, any will do.",
       .examples = {{"The pages of a host as a table",
                     "trawl readdb dump --prefix https://www.example.com/ --format csv"},
                    {"What failed for want of an answer",
                     "trawl readdb dump --state failing,gone --outcome timeout,dns_failed"},
                    {"The ten largest pages, to look at", "trawl readdb dump --sort bytes --limit 10 --format table"}},
       .groups = {&DumpOptionGroup(), &UrlFilterOptionGroup(), &ReadingOptionGroup()},
       .run = RunDump},
      {.name = "readdb hosts",
       .summary = "list the hosts, with delays, failures and counts",
       .purpose = VerbPurpose::kLook,
       .description = "Prints one object per host: delays, failures, breaker, counts and what trawl host has set. It "
                      "lists every host that has a URL in the crawl, and every host that trawl host has changed.",
       .examples = {{"All hosts", "trawl readdb hosts"},
                    {"Ten of them as a table", "trawl readdb hosts --limit 10 --format table"},
                    {"Hosts whose breaker is open", "trawl readdb hosts --breaker --format table"}},
       .groups = {&DumpOptionGroup(), &HostFilterOptionGroup(), &ReadingOptionGroup()},
       .run = RunHosts}};
}

}  // namespace trawl
