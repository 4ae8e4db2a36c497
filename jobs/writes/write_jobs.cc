#include "jobs/writes/write_jobs.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "formats/rows/host_row.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "jobs/inject/inject.h"
#include "jobs/operate/host_job.h"
#include "jobs/operate/past_jobs.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/robots_options.h"
#include "jobs/policy/scope.h"
#include "jobs/policy/sitemap_options.h"
#include "jobs/refresh/refresh.h"
#include "jobs/urls/set_urls.h"
#include "jobs/verb/version.h"
#include "jobs/writes/seed_sorter.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/layout.h"
#include "runtime/streaming/options.h"
#include "runtime/tables/key_lookup.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// A job of a batch has a few MiB of lines: it leaves the machine to readers and to rounds beside it.
constexpr int kThreads = 2;
constexpr int64_t kMemoryBytes = int64_t{64} << 20;

bool AreAllPast(const std::vector<BatchOrder>& batch) {
  return std::all_of(batch.begin(), batch.end(), [](const BatchOrder& one) { return one.past.has_value(); });
}

// "job", "snapshot", "changed" and the counts of an order that this job carried out, or an earlier one did.
Json AnswerOf(const BatchOrder& one, const JobResult& result, bool changed) {
  if (one.past) return one.past->answer;
  Json answer = {{"job", result.job}, {"snapshot", result.snapshot}, {"changed", changed}};
  answer.update(one.counts);
  return answer;
}

// Adds the orders to what a job plans and reports.
void KeepRecord(const std::vector<BatchOrder>* batch, JobRequest* request) {
  request->plan = [batch, plan_it = std::move(request->plan)](const JobEnvironment& environment, const Snapshot& base,
                                                              Plan* plan) -> Status {
    ARROW_RETURN_NOT_OK(plan_it(environment, base, plan));
    plan->facts[kOrdersFact] = RecordOf(*batch);
    return Status::OK();
  };
  request->details = [](const JobEnvironment&, const Plan& plan, const JobResult&) -> Result<Json> {
    return Json{{kOrdersFact, plan.facts[kOrdersFact]}};
  };
}

JobOptions OptionsOf(const JobEnvironment& environment) {
  JobOptions options = JobOptionGroup().Read(environment.options).ValueOr(JobOptions());
  options.runner = RunnerKind::kLocal;
  return options;
}

template <typename Limits>
Json PolicyOf(const Limits& limits) {
  Json json = {{"crawl_delay_ms", nullptr}, {"max_concurrent", 1},          {"pages_a_day", nullptr},
               {"pages", nullptr},          {"is_blocked", limits.blocked}, {"reason", nullptr}};
  if (limits.operator_delay_ms != 0) json["crawl_delay_ms"] = std::max(limits.operator_delay_ms, 0);
  if (limits.operator_pages_a_day != 0) json["pages_a_day"] = limits.operator_pages_a_day;
  if (limits.operator_pages != 0) json["pages"] = limits.operator_pages;
  if (!limits.operator_reason.empty()) json["reason"] = limits.operator_reason;
  return json;
}

}  // namespace

Json PolicyJson(const HostRow& row, bool of_domain) { return of_domain ? PolicyOf(row.domain) : PolicyOf(row); }

OptionGroups WriteOptionGroups() {
  return {&InjectOptionGroup(),  &ScopeOptionGroup(),   &FetchOptionGroup(), &RobotsOptionGroup(),
          &RefreshOptionGroup(), &SitemapOptionGroup(), &JobOptionGroup(),   &StreamingOptionGroup()};
}

WriteJobs::WriteJobs(const WriteSurroundings& surroundings, StopToken stop)
    : surroundings_(surroundings),
      stop_(std::move(stop)),
      runner_({.threads = std::clamp(surroundings.global.threads, 1, kThreads),
               .memory_bytes = std::min(surroundings.global.memory_bytes, kMemoryBytes),
               .temp_folder = surroundings.global.temp_dir,
               .reason = "a server runs its jobs itself"}) {}

Result<JobEnvironment> WriteJobs::Prepare() {
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(surroundings_.store));
  EffectiveOptions options = *surroundings_.options;
  ARROW_RETURN_NOT_OK(options.ApplySettings(present.manifest.settings,
                                            "settings of snapshot " + std::to_string(present.manifest.number)));
  JobEnvironment environment;
  environment.store = surroundings_.store;
  environment.runner = &runner_;
  environment.clock = surroundings_.clock;
  environment.stop = stop_;
  environment.now_ms = surroundings_.now_ms != kNoTime ? surroundings_.now_ms : surroundings_.clock->NowMs();
  environment.version = kVersion;
  environment.options = options.texts();
  environment.options["job.runner"] = "local";
  environment.log = surroundings_.log;
  return environment;
}

bool WriteJobs::IsStoreAway(const Status& failure) const {
  if (failure.ok() || failure.IsInvalid() || failure.IsKeyError() || failure.IsCancelled()) return false;
  return !PresentNumber(surroundings_.store).ok();
}

void WriteJobs::CarryOut(std::vector<BatchOrder>* batch) {
  const auto carry_out = [&]() -> Status {
    ARROW_ASSIGN_OR_RAISE(const JobEnvironment environment, Prepare());
    const Order& first = *batch->front().order;
    if (std::holds_alternative<SeedOrder>(first)) return CarryOutSeeds(environment, batch);
    if (std::holds_alternative<HostOrder>(first)) return CarryOutHosts(environment, batch);
    if (std::holds_alternative<DropOrder>(first)) return CarryOutDrops(environment, batch);
    for (BatchOrder& one : *batch) {
      one.outcome.status = Kill(environment, std::get<KillOrder>(*one.order), &one.outcome);
      one.outcome.is_store_away = !one.outcome.is_cluster_away && IsStoreAway(one.outcome.status);
    }
    return Status::OK();
  };
  const Status status = carry_out();
  if (status.ok()) return;
  const bool is_store_away = IsStoreAway(status);
  for (BatchOrder& one : *batch) one.outcome = {.status = status, .is_store_away = is_store_away, .answer = {}};
}

Status WriteJobs::CarryOutSeeds(const JobEnvironment& environment, std::vector<BatchOrder>* batch) {
  const JobOptions job = OptionsOf(environment);
  ARROW_ASSIGN_OR_RAISE(const FetchOptions fetch, FetchOptionGroup().Read(environment.options));
  ARROW_ASSIGN_OR_RAISE(const RobotsOptions robots, RobotsOptionGroup().Read(environment.options));
  const RobotsReading reading = {.agent = fetch.agent, .options = robots, .now_ms = environment.now_ms};
  SeedParts seeds;
  for (const BatchOrder& one : *batch) seeds.bytes += static_cast<int64_t>(SizeOf(*one.order));
  JobRequest request = InjectRequest(seeds, job);
  SortedBatch sorted;
  request.plan = [&, plan_it = std::move(request.plan)](const JobEnvironment& env, const Snapshot& base,
                                                        Plan* plan) -> Status {
    ARROW_RETURN_NOT_OK(plan_it(env, base, plan));
    ARROW_ASSIGN_OR_RAISE(sorted, SortSeeds(env.store, base.manifest, *plan, reading, *batch, env.stop));
    for (size_t i = 0; i < batch->size(); ++i) {
      (*batch)[i].counts = {{"queued", sorted.orders[i].queued}, {"known", sorted.orders[i].known}};
    }
    plan->parts.clear();
    if (!sorted.lines.empty()) plan->parts.push_back({{"name", "server"}, {"lines", sorted.lines}});
    return Status::OK();
  };
  KeepRecord(batch, &request);
  ARROW_ASSIGN_OR_RAISE(const JobResult result, RunJob(environment, request));
  for (size_t i = 0; i < batch->size(); ++i) {
    BatchOrder& one = (*batch)[i];
    one.outcome.answer = AnswerOf(one, result, sorted.orders[i].queued > 0);
    one.outcome.answer["bad"] = std::move(sorted.orders[i].bad);
    one.outcome.answer["robots"] = std::move(sorted.orders[i].robots);
  }
  return Status::OK();
}

Status WriteJobs::CarryOutHosts(const JobEnvironment& environment, std::vector<BatchOrder>* batch) {
  JobResult result;
  if (!AreAllPast(*batch)) {
    std::vector<HostPolicy> changes;
    for (const BatchOrder& one : *batch) {
      if (!one.past) changes.push_back(std::get<HostOrder>(*one.order).policy);
    }
    JobRequest request = HostRequest(std::move(changes));
    KeepRecord(batch, &request);
    ARROW_ASSIGN_OR_RAISE(result, RunJob(environment, request));
  }
  ARROW_ASSIGN_OR_RAISE(const Snapshot snapshot,
                        ReadSnapshot(environment.store, result.job.empty() ? -1 : result.snapshot));
  ARROW_ASSIGN_OR_RAISE(const auto hosts, Table::Open<HostRow>(environment.store, snapshot.manifest));
  for (BatchOrder& one : *batch) {
    const HostTarget& target = std::get<HostOrder>(*one.order).policy.target;
    ARROW_ASSIGN_OR_RAISE(std::optional<HostRow> row, FindRow<HostRow>(*hosts, target.key));
    if (!row || row->removed) row = HostRow();
    one.outcome.answer = AnswerOf(one, result, result.changed);
    one.outcome.answer["policy"] = PolicyJson(*row, target.is_domain);
  }
  return Status::OK();
}

Status WriteJobs::CarryOutDrops(const JobEnvironment& environment, std::vector<BatchOrder>* batch) {
  const JobOptions job = OptionsOf(environment);
  UrlOrder order;
  order.change.drop = true;
  // Never empty: without names every URL would be meant.
  NamedUrls named;
  named.parts.parts = {{{"name", "server"}, {"lines", Json::array()}}};
  std::vector<bool> is_known(batch->size());
  JobRequest request = SetUrlsRequest({.named = named, .order = order, .job = job});
  request.plan = [&, plan_it = std::move(request.plan)](const JobEnvironment& env, const Snapshot& base,
                                                        Plan* plan) -> Status {
    ARROW_RETURN_NOT_OK(plan_it(env, base, plan));
    ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<UrlRow>(env.store, base.manifest));
    KeyEntries keys(table);
    std::set<std::string> urls;
    for (size_t i = 0; i < batch->size(); ++i) {
      const std::string& key = std::get<DropOrder>(*(*batch)[i].order).key;
      ARROW_ASSIGN_OR_RAISE(const std::optional<SidecarEntry> entry, keys.Find(key));
      is_known[i] = entry && entry->state != 0;
      (*batch)[i].counts = {{"removed", 1}};
      if (!is_known[i] || (*batch)[i].past) continue;
      ARROW_ASSIGN_OR_RAISE(std::string url, UrlOfKey(key));
      urls.insert(std::move(url));
    }
    plan->parts.clear();
    if (!urls.empty()) plan->parts.push_back({{"name", "server"}, {"lines", urls}});
    return Status::OK();
  };
  KeepRecord(batch, &request);
  ARROW_ASSIGN_OR_RAISE(const JobResult result, RunJob(environment, request));
  for (size_t i = 0; i < batch->size(); ++i) {
    BatchOrder& one = (*batch)[i];
    if (is_known[i] || one.past) {
      one.outcome.answer = AnswerOf(one, result, result.changed);
    } else {
      one.outcome.status = Status::KeyError("the crawl does not know this URL");
    }
  }
  return Status::OK();
}

Status WriteJobs::Kill(const JobEnvironment& environment, const KillOrder& order, OrderOutcome* outcome) {
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(environment.store));
  if (!IsValidId(order.job)) return Status::KeyError("there is no job of this id");
  ARROW_ASSIGN_OR_RAISE(const auto job, FindJob(environment.store, present.manifest, order.job));
  if (!job) return Status::KeyError("there is no job of this id");
  const bool is_over = !job->report.is_null() || job->published;
  if (!is_over && !job->is_on_cluster()) {
    return UsageError(order.job, " does not run on a cluster; stop its process where it runs");
  }
  bool changed = false;
  if (!is_over) {
    ARROW_ASSIGN_OR_RAISE(const StreamingOptions streaming, StreamingOptionGroup().Read(environment.options));
    const auto killed = KillOnCluster(*job, streaming.resource_manager, "trawl serve");
    outcome->is_cluster_away = killed.status().IsIOError();
    ARROW_RETURN_NOT_OK(killed.status());
    changed = killed->has_value();
  }
  outcome->answer = {{"job", order.job}, {"snapshot", present.manifest.number}, {"changed", changed}};
  return Status::OK();
}

}  // namespace trawl
