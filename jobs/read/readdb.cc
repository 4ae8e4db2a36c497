// trawl readdb: looks into the crawldb. It reads the urls and hosts tables of one snapshot and writes nothing.
#include <optional>

#include "formats/rows/host_row.h"
#include "formats/url/key.h"
#include "jobs/read/explain.h"
#include "jobs/read/host_walk.h"
#include "jobs/read/row_printer.h"
#include "jobs/read/url_counts.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/row_json.h"
#include "jobs/verb/url_arguments.h"
#include "runtime/process/output.h"
#include "runtime/process/status_detail.h"
#include "runtime/tables/key_lookup.h"
#include "runtime/terminal/text.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// -- stats ------------------------------------------------------------------------------------------------------------

Json RunsJson(const Manifest& manifest, int64_t* bytes) {
  Json runs = Json::object();
  for (const auto& [table, references] : manifest.tables) {
    runs[table] = references.size();
    for (const RunReference& run : references) *bytes += run.bytes;
  }
  return runs;
}

std::string StatsText(const Json& stats) {
  std::string text;
  const auto line = [&text](const std::string& name, const std::string& value) {
    text += PadRight(name, 14) + value + "\n";
  };
  line("snapshot", std::to_string(stats["snapshot"].get<int64_t>()));
  const auto count = [&](const char* name) { line(name, ReadableCount(stats[name].get<int64_t>())); };
  count("urls");
  for (const auto& [state, urls] : stats["by_state"].items()) line("  " + state, ReadableCount(urls.get<int64_t>()));
  count("hosts");
  count("due");
  if (!stats["next_due"].is_null()) line("next due", stats["next_due"].get<std::string>());
  line("size", ReadableSize(stats["bytes"].get<int64_t>()));
  for (const auto& [table, runs] : stats["runs_by_table"].items())
    line("runs of " + table, std::to_string(runs.get<int64_t>()));
  return text;
}

Result<int> RunStats(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenAt(context));
  ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<UrlRow>(crawl->store(), crawl->manifest()));
  ARROW_ASSIGN_OR_RAISE(const UrlCounts counts,
                        CountUrls(table, context.global.now_ms, context.global.threads, context.process.stop));
  int64_t bytes = 0;
  const Json runs = RunsJson(crawl->manifest(), &bytes);
  const Json stats = {{"snapshot", crawl->manifest().number},
                      {"urls", counts.urls},
                      {"hosts", counts.hosts},
                      {"by_state", StatesJson(counts)},
                      {"by_kind", KindsJson(counts)},
                      {"due", counts.due},
                      {"next_due", TimeJson(counts.next_due_ms)},
                      {"runs", table->runs().size()},
                      {"runs_by_table", runs},
                      {"bytes", bytes},
                      {"open_segments", crawl->manifest().open_segments.size()}};
  ARROW_RETURN_NOT_OK(context.Answer(stats, StatsText(stats)));
  return kExitDone;
}

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
    ARROW_ASSIGN_OR_RAISE(const auto lines, ExplainUrl(explain, key, row));
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

Result<int> RunDump(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenAt(context));
  ARROW_ASSIGN_OR_RAISE(const DumpOptions options, context.Read(DumpOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<UrlRow>(crawl->store(), crawl->manifest()));
  ARROW_ASSIGN_OR_RAISE(ScanOptions scan, ScanOfPrefix(options.prefix, crawl->normal_form()));
  RowPrinter printer(context.process.out, options);
  ARROW_RETURN_NOT_OK(PrintRows<UrlRow>(table, scan, context.process.stop, &printer, UrlJson));
  ARROW_RETURN_NOT_OK(printer.Finish(UrlJson({})));
  return kExitDone;
}

Result<int> RunHosts(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenAt(context));
  ARROW_ASSIGN_OR_RAISE(const DumpOptions options, context.Read(DumpOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(auto urls, Table::Open<UrlRow>(crawl->store(), crawl->manifest()));
  ARROW_ASSIGN_OR_RAISE(auto hosts, Table::Open<HostRow>(crawl->store(), crawl->manifest()));
  ARROW_ASSIGN_OR_RAISE(const ScanOptions scan, HostScanOfPrefix(options.prefix, crawl->normal_form()));
  ARROW_ASSIGN_OR_RAISE(HostWalk walk, HostWalk::Open(std::move(urls), std::move(hosts), scan));
  RowPrinter printer(context.process.out, options);
  HostRow row;
  bool has_urls = false;
  while (!printer.full()) {
    ARROW_RETURN_NOT_OK(context.process.stop.Check());
    ARROW_ASSIGN_OR_RAISE(const bool more, walk.Next(&row, &has_urls));
    if (!more) break;
    ARROW_RETURN_NOT_OK(printer.Print(HostJson(row)));
  }
  ARROW_RETURN_NOT_OK(printer.Finish(HostJson({})));
  return kExitDone;
}

}  // namespace

std::vector<Verb> ReaddbVerbs() {
  const OptionGroups reading = {&ReadingOptionGroup()};
  const OptionGroups getting = {&GetOptionGroup(), &ReadingOptionGroup()};
  const OptionGroups dumping = {&DumpOptionGroup(), &ReadingOptionGroup()};
  return {
      {.name = "readdb stats",
       .summary = "count the known URLs and hosts, by state",
       .purpose = VerbPurpose::kLook,
       .description = "Counts the rows of one snapshot, the newest unless --snapshot names another.",
       .examples = {{"The crawl in ./crawl", "trawl readdb stats"},
                    {"As one JSON object, as it was at snapshot 42", "trawl readdb stats --json --snapshot 42"}},
       .groups = reading,
       .run = RunStats},
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
       .description = "In the order of the table: by a hash of the host, then by host and path.",
       .examples = {{"The pages of a host as a table",
                     "trawl readdb dump --prefix https://www.example.com/ --format csv"},
                    {"Ten URLs", "trawl readdb dump --limit 10"}},
       .groups = dumping,
       .run = RunDump},
      {.name = "readdb hosts",
       .summary = "list the hosts, with delays, failures and counts",
       .purpose = VerbPurpose::kLook,
       .description = "Prints one object per host: delays, failures, breaker, counts and what trawl host has set. It "
                      "lists every host that has a URL in the crawl, and every host that trawl host has changed.",
       .examples = {{"All hosts", "trawl readdb hosts"},
                    {"Ten of them as a table", "trawl readdb hosts --limit 10 --format csv"}},
       .groups = dumping,
       .run = RunHosts}};
}

}  // namespace trawl
