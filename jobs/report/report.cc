#include "jobs/report/report.h"

#include <utility>
#include <vector>

#include "formats/charts/charts.h"
#include "formats/charts/escape.h"
#include "jobs/metrics/dashboard.h"
#include "jobs/report/html.h"
#include "jobs/report/json_numbers.h"
#include "jobs/report/present.h"
#include "jobs/report/rounds.h"
#include "jobs/report/sections.h"
#include "runtime/terminal/timestamp.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;

namespace {

Json DashboardOf(const Manifest& manifest, const Json& round, const Json& present) {
  DashboardSource source = {.manifest = &manifest};
  if (round.is_object()) source.rounds.push_back(&round);
  source.frontier_domains = CountOf(MemberOf(present, "frontier"), "domains");
  source.segment_bytes = CountOf(MemberOf(present, "storage"), "segments");
  source.filter_bytes = CountOf(MemberOf(present, "filters"), "bytes");
  return DashboardNumbers(source);
}

}  // namespace

Result<Json> MakeReport(const ReportSource& source) {
  const Manifest& manifest = source.snapshot.manifest;
  ARROW_ASSIGN_OR_RAISE(RoundsOfReport told,
                        ReadRoundsOfReport(source.store, manifest, source.segment, source.last, source.stop));
  ARROW_ASSIGN_OR_RAISE(Json present, CountPresent(source.store, manifest, source.now_ms, source.threads, source.stop));
  Json dashboard = DashboardOf(manifest, told.round, present);
  return Json{{"crawl", source.crawl},
              {"snapshot", manifest.number},
              {"published", FormatTimestamp(manifest.published_ms)},
              {"now", FormatTimestamp(source.now_ms)},
              {"round", std::move(told.round)},
              {"rounds", std::move(told.rounds)},
              {"rounds_without_numbers", told.without_numbers},
              {"present", std::move(present)},
              {"dashboard", std::move(dashboard)}};
}

namespace {

std::string IntroOf(const Json& report) {
  std::string text = "Snapshot " + std::to_string(CountOf(report, "snapshot")) + " of " + TextOf(report, "published") +
                     ", looked at " + TextOf(report, "now") + ". All times are UTC.";
  if (const int64_t missing = CountOf(report, "rounds_without_numbers"); missing > 0) {
    text += " " + ReadableCount(missing, "round") + " of an older version left no numbers.";
  }
  return NoteHtml(text);
}

}  // namespace

std::string ReportHtml(const Json& report) {
  std::vector<Section> sections;
  const auto add = [&sections](const char* id, const char* title, std::string html) {
    sections.push_back({id, title, std::move(html)});
  };
  std::string intro = IntroOf(report);
  const bool has_round = MemberOf(report, "round").is_object(), has_rounds = !MemberOf(report, "rounds").empty();
  if (has_round) {
    add("headline", "The round", HeadlineHtml(report));
    add("minutes", "Minute by minute", MinutesHtml(report));
    add("by-list", "Lists", ListsHtml(report));
  } else {
    intro += NoteHtml(has_rounds || CountOf(report, "rounds_without_numbers") > 0
                          ? "The newest round was applied by an older version, without numbers."
                          : "No round has been applied yet: this is what is known before the first one.");
  }
  if (has_rounds) add("by-round", "Rounds beside each other", OutcomesHtml(report));
  add("by-state", "States", StatesHtml(report));
  if (has_round) {
    add("by-status", "Statuses and outcomes", StatusesHtml(report));
    add("response", "Response times", TimesHtml(report));
  }
  add("by-host", "Hosts", HostsHtml(report));
  if (has_round) {
    add("errors", "Errors", ErrorsHtml(report));
    add("discovery", "Discovery", DiscoveryHtml(report));
  }
  add("freshness", "Freshness", FreshnessHtml(report));
  if (has_round) {
    add("content", "Content", ContentHtml(report));
    add("robots", "Robots and politeness", RobotsHtml(report));
  }
  add("disk", "Storage", StorageHtml(report));
  return PageHtml("Crawl " + TextOf(report, "crawl"), intro, sections);
}

}  // namespace trawl
