#include "jobs/rounds/report.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

#include "jobs/metrics/dashboard.h"
#include "jobs/stats/round.h"
#include "jobs/stats/totals.h"
#include "jobs/stats/url_counts.h"
#include "runtime/root/layout.h"
#include "runtime/root/snapshot.h"
#include "runtime/terminal/text.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;

namespace {

int64_t TableBytes(const Manifest& manifest) {
  int64_t bytes = 0;
  for (const auto& [table, runs] : manifest.tables) {
    for (const RunReference& run : runs) bytes += run.bytes;
  }
  return bytes;
}

Result<int64_t> SegmentBytes(Store* store) {
  ARROW_ASSIGN_OR_RAISE(const auto entries, store->List(kSegmentsFolder, /*recursive=*/true));
  int64_t bytes = 0;
  for (const StoreEntry& entry : entries) bytes += entry.size_bytes;
  return bytes;
}

std::string Percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", share * 100);
  return text;
}

std::string OneDecimal(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

constexpr int64_t kMostRounds = 1'000;  // whose documents are read

// The values of a dashboard for the rounds of this crawl, as /api/v1/stats and trawl report have them for the last one.
Result<Json> DashboardOf(const CrawlEnd& end, DashboardSource source) {
  std::vector<Json> rounds;
  const auto& closed = end.present.closed_segments;
  const int64_t wanted = std::min<int64_t>(end.totals.rounds, kMostRounds);
  for (auto segment = closed.rbegin(); segment != closed.rend(); ++segment) {
    if (static_cast<int64_t>(rounds.size()) == wanted) break;
    if (segment->end != SegmentEnd::kApplied || segment->round.empty()) continue;
    ARROW_ASSIGN_OR_RAISE(std::optional<Json> round, ReadRound(end.store, *segment));
    if (GetString(*round, "kind").ValueOr("round") == "round") rounds.push_back(*std::move(round));
  }
  for (const Json& round : rounds) source.rounds.push_back(&round);
  source.manifest = &end.present;
  return DashboardNumbers(source);
}

}  // namespace

Result<Json> CrawlReport(const CrawlEnd& end, const StopToken& stop) {
  const CrawlTotals& totals = end.totals;
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(end.store, end.present));
  ARROW_ASSIGN_OR_RAISE(const UrlCounts counts, CountUrls(urls, end.now_ms, end.threads, stop));
  ARROW_ASSIGN_OR_RAISE(const FilterMeasure filters, MeasureFilters(*urls));
  ARROW_ASSIGN_OR_RAISE(const int64_t segment_bytes, SegmentBytes(end.store));
  const double safe_seconds = std::max(end.seconds, 0.001);
  Json report = {{"rounds", totals.rounds}};
  report.update(ToJson(totals.fetch));
  report["seconds"] = end.seconds;
  report["pages_per_second"] = static_cast<double>(totals.fetch.pages) / safe_seconds;
  report["bytes_per_second"] = static_cast<double>(totals.fetch.bytes) / safe_seconds;
  report["urls"] = counts.urls;
  report["hosts"] = counts.hosts;
  report["by_state"] = StatesJson(counts);
  report.update(ToJson(totals.outlook));
  report["frontier"] = {{"urls", counts.OfState(UrlState::kUnfetched)}, {"hosts", counts.frontier_hosts}};
  report["tasks"] = {
      {"fetch", totals.tasks},
      {"utilisation",
       totals.fetch_ms == 0 ? 0.0 : static_cast<double>(totals.task_ms) / static_cast<double>(totals.fetch_ms)}};
  report["storage"] = {{"tables", TableBytes(end.present)}, {"segments", segment_bytes}};
  report["filters"] = {
      {"bytes", filters.bytes},
      {"false_positive_rate",
       filters.probes == 0 ? 0.0 : static_cast<double>(filters.false_positives) / static_cast<double>(filters.probes)}};
  report["duplicates"] = DuplicatesJson(end.present.totals.value_or(Totals()));
  ARROW_ASSIGN_OR_RAISE(report["dashboard"], DashboardOf(end, {.frontier_domains = counts.frontier_domains,
                                                               .segment_bytes = segment_bytes,
                                                               .filter_bytes = filters.bytes}));
  report["counters"] = ToJson(totals.counters);
  report["classes"] = ToJson(totals.refreshed);
  report["ended"] = totals.ended;
  report["taken_up"] = ToJson(totals.taken_up);
  if (totals.GotNothing()) report["failures"] = ToJson(totals.failures);
  report["snapshot"] = end.present.number;
  return report;
}

std::string ReadableCrawlReport(const Json& report) {
  std::string text;
  const auto line = [&text](const std::string& name, const std::string& value) {
    text += PadRight(name, 12) + value + "\n";
  };
  const auto count = [&report](const char* name) { return ReadableCount(report[name].get<int64_t>()); };
  const auto counted = [&report](const char* name, const char* noun) {
    return ReadableCount(report[name].get<int64_t>(), noun);
  };
  line("pages", count("pages") + " stored, " + OneDecimal(report["pages_per_second"].get<double>()) + "/s, " +
                    ReadableSize(report["bytes"].get<int64_t>()));
  std::string statuses;
  for (const auto& [status, number] : report["statuses"].items()) {
    statuses += (statuses.empty() ? "" : ", ") + ReadableCount(number.get<int64_t>()) + " x " + status;
  }
  const bool has_asked = report["fetched"].get<int64_t>() > 0;
  line("requests", count("fetched") + (statuses.empty() ? "" : " (" + statuses + ")") +
                       (has_asked ? ", " + Percent(report["success_rate"].get<double>()) + " succeeded" : ""));
  if (!statuses.empty())
    line("response", "on average " + OneDecimal(report["response_ms"]["average"].get<double>()) + " ms, 99 % within " +
                         std::to_string(report["response_ms"]["p99"].get<int64_t>()) + " ms");
  std::string states;
  for (const auto& [state, number] : report["by_state"].items()) {
    states += (states.empty() ? "" : ", ") + ReadableCount(number.get<int64_t>()) + " " + state;
  }
  line("urls", count("urls") + " on " + counted("hosts", "host") + ": " + states);
  const std::string held = HeldText(report["held"]);
  line("due", count("due") + " now" + (held.empty() ? "" : "; " + held));
  if (!report["next_due"].is_null()) line("next", report["next_due"].get<std::string>());
  for (const Json& error : report["top_errors"]) {
    line("not fetched", ReadableCount(error["count"].get<int64_t>()) + " x " + error["reason"].get<std::string>());
  }
  if (report.contains("classes")) text += ReadableClasses(report["classes"], PadRight("fresh", 12));
  const std::string duplicates = report.contains("duplicates") ? DuplicatesText(report["duplicates"]) : "";
  if (!duplicates.empty()) line("duplicates", duplicates);
  line("storage", ReadableSize(report["storage"]["tables"].get<int64_t>()) + " of tables, " +
                      ReadableSize(report["storage"]["segments"].get<int64_t>()) + " of segments");
  line("time", ReadableDuration(static_cast<int64_t>(report["seconds"].get<double>() * 1000)) + ", " +
                   counted("rounds", "round") + "; " + report["ended"].get<std::string>());
  return text;
}

}  // namespace trawl
