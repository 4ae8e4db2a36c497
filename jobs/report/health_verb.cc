// trawl health: a crawl against limits. It reads the newest round's document, what runs now, and the tables urls once.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "jobs/audit/steps.h"
#include "jobs/live/live.h"
#include "jobs/report/growth.h"
#include "jobs/report/health.h"
#include "jobs/report/json_numbers.h"
#include "jobs/report/rounds.h"
#include "jobs/stats/url_counts.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kRoundsOfGrowth = 20;

// Nothing where the growth or the disk is not known.
std::optional<double> DiskDays(const Store& store, const Json& rounds) {
  const Json free = FreeBytesJson(store);
  const double days = DaysLeft(GrowthOf(rounds), free.is_number() ? free.get<double>() : std::nan(""));
  return std::isnan(days) ? std::nullopt : std::optional<double>(days);
}

std::optional<int64_t> SilentWorkers(const Result<LiveCrawl>& live) {
  if (!live.ok() || !live->is_whole || !live->faults.empty()) return std::nullopt;
  return std::count_if(live->workers.begin(), live->workers.end(),
                       [](const LiveWorker& worker) { return worker.state == WorkerState::kSilent; });
}

std::optional<TimeMs> AppliedMs(const Json& rounds) {
  if (rounds.empty() || !HasNumber(rounds.back(), "applied_ms")) return std::nullopt;
  return CountOf(rounds.back(), "applied_ms");
}

std::optional<double> FilterRate(const FilterMeasure& filters) {
  if (filters.probes == 0) return std::nullopt;
  return static_cast<double>(filters.false_positives) / static_cast<double>(filters.probes);
}

Result<int> RunHealth(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const HealthOptions options, context.Read(HealthOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  const StopToken& stop = context.process.stop;
  const Manifest& manifest = crawl->manifest();
  ARROW_ASSIGN_OR_RAISE(const RoundsOfReport told,
                        ReadRoundsOfReport(crawl->store(), manifest, "", kRoundsOfGrowth, stop));
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(crawl->store(), manifest));
  ARROW_ASSIGN_OR_RAISE(const UrlCounts counts, CountUrls(urls, context.global.now_ms, context.global.threads, stop));
  ARROW_ASSIGN_OR_RAISE(const FilterMeasure filters, MeasureSomeFilters(*urls));
  const Result<LiveCrawl> live = ReadLive(crawl->store(), manifest, context.process.clock, stop);
  const auto checks = CheckHealth({.round = told.round,
                                   .manifest = manifest,
                                   .now_ms = context.global.now_ms,
                                   .applied_ms = told.round.is_object() ? AppliedMs(told.rounds) : std::nullopt,
                                   .due = counts.due,
                                   .silent_workers = SilentWorkers(live),
                                   .disk_days = DiskDays(*crawl->store(), told.rounds),
                                   .filter_false_positives = FilterRate(filters),
                                   .filter_rate = job.bloom_false_positives},
                                  options);
  Json json = ToJson(checks);
  json["snapshot"] = manifest.number;
  ARROW_RETURN_NOT_OK(context.Answer(json, ReadableHealth(checks)));
  return json["ok"].get<bool>() ? kExitDone : kExitFailed;
}

}  // namespace

Verb HealthVerb() {
  return {.name = "health",
          .summary = "check a crawl against limits, for monitors",
          .purpose = VerbPurpose::kLook,
          .description =
              "Compares the crawl with limits and says so in a line each: errors, response times and freshness "
              "of the last round, its age, silent workers, open segments, the disk, the Bloom filters, and "
              "URLs that are due while no round begins. The exit code is 3 where a check failed, else 0. What "
              "is not known, such as freshness before a page was fetched again, fails nothing. With --json: "
              "ok, and checks with name, ok, value (null where it is not known) and limit.",
          .examples = {{"For a monitor", "trawl health --json"},
                       {"A crawl that runs once a week", "trawl health --max_round_age 8d --max_due_wait 8d"},
                       {"Stricter about errors", "trawl health --max_error_rate 0.05"}},
          .groups = {&HealthOptionGroup()},
          .other_groups = {&JobOptionGroup()},
          .run = RunHealth};
}

}  // namespace trawl
