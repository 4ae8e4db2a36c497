// trawl fetch: asks for the pages of a segment's lists.
//
//   reads        fetchlist, fetchlist_hosts, fetchlist_robots of the segment, one list per task
//   shuffles by  nothing
//   writes       fetch: one row per request, and per URL that was settled without one
//                content: the bodies; of equal ones of a list the first alone (jobs/fetch/shared_bodies.h)
//                hosts, robots: the new rows of hosts and origins that were asked
//   counters     pages (with a body), of which bodies_shared (stored before for another URL of the list; bytes_shared: what
//                was not stored again), fetched (page requests), robots_requests, bytes, wire_bytes, retries, hops,
//                hops_known (redirects to URLs that are due in their own time), given_back, not_reached,
//                skipped_for_delay (those of given_back whose host has a long Crawl-delay), retries_left (URLs that
//                failed and might have been asked for again, had the round waited), robots_unreachable_allowed, outcome.<name>, status.<code>
#include "jobs/fetch/fetch.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "formats/rows/catalog.h"
#include "jobs/audit/used.h"
#include "jobs/fetch/identity.h"
#include "jobs/fetch/task.h"
#include "jobs/policy/scope.h"
#include "jobs/politeness/turns.h"
#include "jobs/segment/choice.h"
#include "jobs/stats/fetch_report.h"
#include "jobs/stats/minutes.h"
#include "jobs/sums/asked.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/attempt_chain.h"
#include "runtime/root/layout.h"
#include "runtime/root/planned_bytes.h"
#include "runtime/root/segment_data.h"
#include "runtime/tables/table.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Tasks that one machine runs at once, since fetch tasks mostly wait.
constexpr size_t kTasksAtOnce = 64;

// The time after which no request begins. From the segment's end on its domains may be another segment's, so requests
// must have ended by then.
int64_t LastBeginning(const Plan& plan, const FetchOptions& options, const StepTask& list, int64_t now_ms) {
  int64_t until_ms = kNever;
  const auto limit = list.facts.find("time_limit_ms");
  if (limit != list.facts.end() && limit->is_number_integer()) until_ms = now_ms + limit->get<int64_t>();
  const auto held_until = plan.facts.find("until_ms");
  if (held_until != plan.facts.end() && held_until->is_number_integer()) {
    until_ms = std::min(until_ms, held_until->get<int64_t>() - options.timeout_ms);
  }
  return until_ms;
}

Minutes MinutesOf(const std::vector<AttemptEntry>& parts) {
  Minutes minutes;
  for (const AttemptEntry& part : parts) {
    const AskedSums sums = AskedSums::FromCounters(part.counters);
    minutes.Add(part.at_ms, {.pages = BoundedCounter(part.counters, "pages"),
                             .bytes = BoundedCounter(part.counters, "bytes"),
                             .requests = sums.asked,
                             .errors = sums.errors()});
  }
  return minutes;
}

// Reports the chain's parts as the task's output.
Status Report(const std::vector<AttemptEntry>& parts, TaskContext& context) {
  std::vector<std::pair<const char*, int>> datasets;
  ForEachDataset([&datasets](const auto& dataset) {
    if (dataset.step == std::string_view(kFetchStep)) datasets.push_back({dataset.name, dataset.version});
  });
  for (const auto& [dataset, version] : datasets) context.AddDatasetFiles(dataset, version, {});
  for (const AttemptEntry& part : parts) {
    for (const auto& [dataset, version] : datasets) {
      const auto files = part.files.find(dataset);
      if (files != part.files.end()) context.AddDatasetFiles(dataset, version, files->second);
    }
    ARROW_ASSIGN_OR_RAISE(const Counters counters, CountersFromJson(part.counters));
    context.counters().Merge(counters);
  }
  context.facts()["parts"] = parts.size();
  context.facts()["minutes"] = ToJson(MinutesOf(parts));
  return Status::OK();
}

// The limits of generate; lists of an earlier version may lack them.
PageLimits HostLimitsOf(const Json& facts) {
  const auto number = [&facts](const char* name) {
    const auto found = facts.find(name);
    return found != facts.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
  };
  return {.a_day = number("pages_a_day"), .in_all = number("host_pages")};
}

Status FetchOneList(TaskContext& context, const FetchTaskSettings& given, const StepTask& lists, AttemptChain& chain) {
  FetchTaskSettings settings = given;
  settings.until_ms = LastBeginning(context.plan(), settings.options, lists, context.NowMs());
  ARROW_ASSIGN_OR_RAISE(const CrawlScope scope, ScopeOfPlan(context.store(), context.snapshot(), context.plan()));
  FetchInputs inputs(settings.options, settings.robots, context.NowMs());
  inputs.continues = chain.continues();
  inputs.host_limits = HostLimitsOf(lists.facts);
  ARROW_ASSIGN_OR_RAISE(inputs.url_table, Table::Open<UrlRow>(context.store(), context.snapshot()));
  ARROW_ASSIGN_OR_RAISE(inputs.host_table, Table::Open<HostRow>(context.store(), context.snapshot()));
  ARROW_ASSIGN_OR_RAISE(inputs.robots_table, Table::Open<RobotsRow>(context.store(), context.snapshot()));
  SharedBodies bodies(MostSharedBodies(settings.tasks));
  inputs.bodies = settings.bodies = &bodies;
  ARROW_RETURN_NOT_OK(LoadFetchInputs(context.store(), settings.segment, lists, chain.parts(), &inputs));
  FetchState state(std::move(inputs));
  ARROW_ASSIGN_OR_RAISE(const auto task, FetchTask::Make(context, settings, scope, state, chain));
  return task->Run();
}

Status MapList(HostTurns& turns, TaskContext& context, const Json& part) {
  const int64_t began_ms = context.clock().MonotonicMs();
  const ProcessUse began = ProcessUse::Now(context.clock());
  FetchTaskSettings settings;
  ARROW_ASSIGN_OR_RAISE(settings.options, context.Read(FetchOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(settings.robots, context.Read(RobotsOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(settings.form, NormalFormOf(context.snapshot().normal_form));
  settings.turns = &turns;
  settings.segment = context.plan().segment();
  settings.tasks = static_cast<int>(std::min<size_t>(context.plan().parts.size(), kTasksAtOnce));
  ARROW_ASSIGN_OR_RAISE(const int64_t list, GetInt(part, "list"));
  settings.list = static_cast<int>(list);
  ARROW_ASSIGN_OR_RAISE(const std::string lists_job, GetString(context.plan().facts, "lists_job"));
  ARROW_ASSIGN_OR_RAISE(const std::string lists_seal, GetString(context.plan().facts, "lists_seal"));
  ARROW_ASSIGN_OR_RAISE(const StepRecord record, ReadLists(context.store(), settings.segment, lists_job, lists_seal));
  if (list < 0 || list >= static_cast<int64_t>(record.tasks.size())) return Status::Invalid("there is no list ", list);

  AttemptChainOptions chain_options;
  chain_options.segment = settings.segment;
  chain_options.task = settings.list;
  chain_options.attempt = context.plan().job + "-" + context.id().Name();
  chain_options.lists_job = lists_job;
  chain_options.lease_ms = settings.options.lease_ms;
  chain_options.now_ms = [&context] { return context.NowMs(); };
  chain_options.waiting = [&context](const AttemptEntry& head) {
    FetchGauges gauges;
    gauges.waits_for_attempt = head.attempt;
    context.Show(ToJson(gauges));
  };
  const auto is_over = [&]() { return context.store()->Exists(DatasetRecordPath(settings.segment, kFetchStep)); };
  chain_options.is_over = is_over;
  ARROW_ASSIGN_OR_RAISE(const auto chain, AttemptChain::Begin(context.store(), context.clock(), context.stop(),
                                                              std::move(chain_options)));
  // The chains of a segment that is applied are gone, so that this attempt may come too late and not know. The step has
  // its record, so what this task reports does not count.
  ARROW_ASSIGN_OR_RAISE(const bool was_done, is_over());
  if (was_done) {
    if (!chain->done()) ARROW_RETURN_NOT_OK(chain->End(/*done=*/true));
    return Report({}, context);
  }
  if (!chain->done()) {
    const Status fetched = FetchOneList(context, settings, record.tasks[static_cast<size_t>(list)], *chain);
    // A successor does not wait for an attempt that says that it asks no more.
    if (!fetched.ok() && !chain->lost()) (void)chain->End(/*done=*/false);
    ARROW_RETURN_NOT_OK(fetched);
  }
  context.facts()["list"] = list;
  context.facts()["ran_ms"] = context.clock().MonotonicMs() - began_ms;
  context.facts()["used"] = UseFact(began, ProcessUse::Now(context.clock()));
  return Report(chain->parts(), context);
}

// The host that takes longest decides about the time; all of them are asked at once.
PlannedWork WorkOf(const StepRecord& lists) {
  PlannedWork work = {.bytes = 0, .wait_ms = 0};
  for (const StepTask& list : lists.tasks) {
    work.bytes += GetInt(list.facts, "urls").ValueOr(0) * kUsualStoredBytes;
    work.wait_ms = std::max(work.wait_ms, GetInt(list.facts, "expected_ms").ValueOr(0));
  }
  return work;
}

std::string Readable(const JobResult& result, const std::string& segment) {
  if (!result.changed) return "segment " + segment + " is already fetched\n";
  const Counters& counters = result.output.counters;
  std::string text = "segment " + segment + ": " + ReadableCount(counters.Get("fetched"), "request") + ", " +
                     ReadableCount(counters.Get("pages"), "page") + " stored, " + ReadableSize(counters.Get("bytes")) +
                     " in " + ReadableDuration(static_cast<int64_t>(result.seconds * 1000)) + "\n";
  if (const int64_t shared = counters.Get("bodies_shared"); shared > 0) {
    text += "  equal to one that was stored before: " + ReadableCount(shared) + ", " +
            ReadableSize(counters.Get("bytes_shared")) + " not stored again\n";
  }
  for (const auto& [name, count] : counters.counts()) {
    if (name.starts_with("outcome.")) text += "  " + name.substr(8) + ": " + ReadableCount(count) + "\n";
  }
  const int64_t left = counters.Get("not_reached") + counters.Get("given_back");
  if (left > 0) text += "  not reached: " + ReadableCount(left) + "\n";
  if (const int64_t skipped = counters.Get("skipped_for_delay"); skipped > 0) {
    text += "  of them on hosts with a Crawl-delay over --fetch.max_crawl_delay: " + ReadableCount(skipped) + "\n";
  }
  if (const int64_t retries = counters.Get("retries_left"); retries > 0) {
    text += "  failed, left to a later round: " + ReadableCount(retries) + "\n";
  }
  if (result.details.contains("fetch")) text += ReadableFetch(result.details);
  return text;
}

Json StatusesOf(const Counters& counters) {
  Json statuses = Json::object();
  for (const auto& [name, count] : counters.counts()) {
    if (name.starts_with("status.")) statuses[name.substr(7)] = count;
  }
  return statuses;
}

Result<int> RunFetch(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const SegmentOptions named, context.Read(SegmentOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const SegmentChoice choice,
                        ChooseSegment(crawl->store(), crawl->manifest(), SegmentStep::kFetch, named.segment));
  if (choice.id.empty()) return SayNoSegment(context, SegmentStep::kFetch);
  JobResult result;
  result.snapshot = crawl->manifest().number;
  if (!choice.is_done) {
    ARROW_ASSIGN_OR_RAISE(result, crawl->Run(context, FetchRequest(crawl->store(), choice)));
  }
  Json summary = SummaryOf(result);
  summary["segment"] = choice.id;
  summary["statuses"] = StatusesOf(result.output.counters);
  AddFetchDetails(result.details, &summary);
  ARROW_RETURN_NOT_OK(context.Summarize(summary, Readable(result, choice.id)));
  return kExitDone;
}

}  // namespace

namespace {

// The turns are shared by the tasks that run in this process.
JobSpec SpecWith(const std::shared_ptr<HostTurns>& turns) {
  const auto map = [turns](TaskContext& context, const Json& part, RowSink&) { return MapList(*turns, context, part); };
  return {.name = "fetch", .mostly_waits = true, .map = map};
}

}  // namespace

JobSpec FetchSpec() { return SpecWith(std::make_shared<HostTurns>()); }

JobRequest FetchRequest(Store* store, const SegmentChoice& segment, std::optional<FetchStats>* counted,
                        std::shared_ptr<HostTurns> turns) {
  JobRequest request;
  request.spec = turns == nullptr ? FetchSpec() : SpecWith(turns);
  request.commit = Commit::kStepRecord;
  request.step = kFetchStep;
  request.details = [store, counted](const JobEnvironment&, const Plan&, const JobResult& result) -> Result<Json> {
    ARROW_ASSIGN_OR_RAISE(FetchStats stats, ReadFetchStats(store, result.output.step));
    Json details = FetchDetails(stats, result.output.step);
    if (counted != nullptr) *counted = std::move(stats);
    return details;
  };
  request.plan = [store, segment](const JobEnvironment&, const Snapshot&, Plan* plan) -> Status {
    ARROW_ASSIGN_OR_RAISE(const FetchOptions options, FetchOptionGroup().Read(plan->options));
    ARROW_RETURN_NOT_OK(CheckContact(options));
    ARROW_ASSIGN_OR_RAISE(const StepRecord lists, ReadLists(store, segment.id, segment.job, segment.lists));
    plan->facts["segment"] = segment.id;
    plan->facts["lists_job"] = segment.job;
    plan->facts["lists_seal"] = segment.lists;
    plan->facts["until_ms"] = segment.until_ms;
    ARROW_RETURN_NOT_OK(PlanScope(store, plan));
    for (size_t i = 0; i < lists.tasks.size(); ++i) plan->parts.push_back({{"list", i}});
    plan->work = WorkOf(lists);
    return Status::OK();
  };
  return request;
}

Verb FetchVerb() {
  return {.name = "fetch",
          .summary = "fetch the pages of a segment",
          .purpose = VerbPurpose::kStep,
          .description =
              "Asks for every URL of the segment, each host at its own pace, and stores the answers. After a stop or a "
              "crash, the same command continues where it was. Without --segment it takes the oldest segment that is "
              "not fetched yet.",
          .examples = {{"The oldest segment that waits", "trawl fetch --contact https://you.example/"},
                       {"One segment, with two requests per second to a host",
                        "trawl fetch --segment 20260101T000000Z-1f2e3d4c --fetch.delay_ms 500"}},
          .groups = {&SegmentOptionGroup(), &FetchOptionGroup(), &IdleOptionGroup()},
          .other_groups = {&RobotsOptionGroup(), &ScopeOptionGroup(), &JobOptionGroup()},
          .other_main_options = {"fetch.agent", "fetch.timeout", "fetch.retries", "fetch.connections",
                                 "fetch.allow_private", "job.runner"},
          .run = RunFetch};
}

}  // namespace trawl
