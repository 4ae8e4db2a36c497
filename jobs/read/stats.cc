// trawl readdb stats: the numbers of one snapshot. It reads the urls and hosts tables, and writes nothing.
#include <algorithm>
#include <cstdio>
#include <map>

#include "jobs/stats/holds.h"
#include "jobs/stats/round.h"
#include "jobs/stats/stored_bytes.h"
#include "jobs/stats/totals.h"
#include "jobs/stats/url_counts.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/row_json.h"
#include "runtime/terminal/text.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;

namespace {

Json RunsJson(const Manifest& manifest) {
  Json runs = Json::object();
  for (const auto& [table, references] : manifest.tables) runs[table] = references.size();
  return runs;
}

// What was fetched since the crawl began; null where no job of this version has changed the crawl yet.
Json EverJson(const Manifest& manifest) {
  if (!manifest.totals) return nullptr;
  const Totals& totals = *manifest.totals;
  return {{"rounds", totals.rounds},
          {"requests", totals.requests},
          {"pages", totals.pages},
          {"bytes", totals.bytes},
          {"wire_bytes", totals.wire_bytes}};
}

// "2 blocked, 1 slow": the members that are not zero.
std::string Counted(const Json& counts) {
  std::string text;
  for (const auto& [name, count] : counts.items()) {
    const auto number = count.get<int64_t>();
    if (number != 0) text += (text.empty() ? "" : ", ") + ReadableCount(number) + " " + name;
  }
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

// "100.4 KiB: 80.0 KiB up to a day old, 20.4 KiB up to a week".
std::string SegmentsText(const Json& storage) {
  const std::map<std::string, std::string> words = {{"day", "up to a day old"},
                                                    {"week", "up to a week"},
                                                    {"month", "up to a month"},
                                                    {"quarter", "up to a quarter"},
                                                    {"older", "older"}};
  std::string ages;
  for (const auto& [age, bytes] : storage["segments_by_age"].items()) {
    const auto size = bytes.get<int64_t>();
    if (size > 0) ages += (ages.empty() ? ": " : ", ") + ReadableSize(size) + " " + words.at(age);
  }
  return ages.empty() ? "" : ReadableSize(storage["segments"].get<int64_t>()) + ages;
}

std::string FiltersText(const Json& filters) {
  std::string text = ReadableSize(filters["bytes"].get<int64_t>());
  if (filters["false_positive_rate"].is_null()) return text;
  char rate[32];
  std::snprintf(rate, sizeof rate, "%.2f %%", filters["false_positive_rate"].get<double>() * 100);
  return text + ", " + rate + " false positives as measured";
}

std::string StatsText(const Json& stats) {
  std::string text;
  const auto line = [&text](const std::string& name, const std::string& value) {
    if (!value.empty()) text += PadRight(name, 14) + value + "\n";
  };
  const auto number = [](const Json& json, const char* name) { return ReadableCount(json[name].get<int64_t>()); };
  const auto counted = [](const Json& json, const char* name, const char* noun) {
    return ReadableCount(json[name].get<int64_t>(), noun);
  };
  line("snapshot", std::to_string(stats["snapshot"].get<int64_t>()));
  line("urls", number(stats, "urls"));
  for (const auto& [state, urls] : stats["by_state"].items()) line("  " + state, ReadableCount(urls.get<int64_t>()));
  line("hosts", number(stats, "hosts"));
  line("  held", Counted(stats["holds"]));
  line("due", number(stats, "due"));
  if (!stats["next_due"].is_null()) line("next due", stats["next_due"].get<std::string>());
  line("with a body", number(stats, "bodies"));
  line("signals", Counted(stats["signals"]));
  if (stats["frontier"]["urls"].get<int64_t>() > 0) {
    const Json& frontier = stats["frontier"];
    line("frontier", counted(frontier, "urls", "URL") + " of " + counted(frontier, "hosts", "host") + " in " +
                         counted(frontier, "domains", "domain"));
  }
  if (const Json& ever = stats["ever"]; !ever.is_null()) {
    line("ever", counted(ever, "requests", "request") + ", " + counted(ever, "pages", "page") + " stored, " +
                     ReadableSize(ever["bytes"].get<int64_t>()) + " in " + counted(ever, "rounds", "round"));
  }
  line("duplicates", DuplicatesText(stats["duplicates"]));
  if (stats["needs_js"].get<int64_t>() > 0) {
    line("needs script",
         number(stats, "needs_js") + " of all that was ever parsed (trawl readdb dump --needs_js has the present)");
  }
  line("size", ReadableSize(stats["bytes"].get<int64_t>()));
  line("segments", SegmentsText(stats["storage"]));
  line("filters", FiltersText(stats["filters"]));
  for (const auto& [table, runs] : stats["runs_by_table"].items())
    line("runs of " + table, std::to_string(runs.get<int64_t>()));
  return text;
}

Result<int> RunStats(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenAt(context));
  const Manifest& manifest = crawl->manifest();
  const TimeMs now_ms = context.global.now_ms;
  const int threads = context.global.threads;
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(crawl->store(), manifest));
  ARROW_ASSIGN_OR_RAISE(const auto hosts, Table::Open<HostRow>(crawl->store(), manifest));
  ARROW_ASSIGN_OR_RAISE(const UrlCounts counts, CountUrls(urls, now_ms, threads, context.process.stop));
  ARROW_ASSIGN_OR_RAISE(const HostHolds holds, CountHolds(hosts, now_ms, threads, context.process.stop));
  ARROW_ASSIGN_OR_RAISE(const FilterMeasure filters, MeasureFilters(*urls));
  ARROW_ASSIGN_OR_RAISE(const int64_t needs_script, PagesThatNeedScript(crawl->store(), manifest));
  // Files are as old as the machine's clock says.
  ARROW_ASSIGN_OR_RAISE(const StoredBytes stored,
                        ReadStoredBytes(crawl->store(), manifest, context.process.clock.NowMs()));
  const Json stats = {{"snapshot", manifest.number},
                      {"urls", counts.urls},
                      {"hosts", counts.hosts},
                      {"by_state", StatesJson(counts)},
                      {"by_kind", KindsJson(counts)},
                      {"signals", SignalsJson(counts)},
                      {"bodies", counts.bodies},
                      {"due", counts.due},
                      {"next_due", TimeJson(counts.next_due_ms)},
                      {"frontier",
                       {{"urls", counts.OfState(UrlState::kUnfetched)},
                        {"hosts", counts.frontier_hosts},
                        {"domains", counts.frontier_domains}}},
                      {"holds", ToJson(holds)},
                      {"ever", EverJson(manifest)},
                      {"duplicates", DuplicatesJson(manifest.totals.value_or(Totals()))},
                      {"needs_js", needs_script},
                      {"runs", urls->runs().size()},
                      {"runs_by_table", RunsJson(manifest)},
                      {"bytes", stored.tables},
                      {"storage", ToJson(stored)},
                      {"filters", ToJson(filters)},
                      {"open_segments", manifest.open_segments.size()}};
  ARROW_RETURN_NOT_OK(context.Answer(stats, StatsText(stats)));
  return kExitDone;
}

}  // namespace

Verb ReaddbStatsVerb() {
  return {
      .name = "readdb stats",
      .summary = "count the known URLs and hosts, by state",
      .purpose = VerbPurpose::kLook,
      .description =
          "Counts the rows of one snapshot, the newest unless --snapshot names another: URLs by state, with a stored "
          "body, and due; hosts, and those that are held (blocked, breaker open, throttled, slow, suspected trap); "
          "URLs, hosts and registrable domains of the frontier, which is what was never fetched; what was fetched "
          "ever; pages that another one stands for, exactly or nearly the same, and the bytes that are not stored "
          "twice; the "
          "bytes of the tables, of the segments by age, and of the Bloom filters with their measured rate.",
      .examples = {{"The crawl in ./crawl", "trawl readdb stats"},
                   {"As one JSON object, as it was at snapshot 42", "trawl readdb stats --json --snapshot 42"}},
      .groups = {&ReadingOptionGroup()},
      .run = RunStats};
}

}  // namespace trawl
