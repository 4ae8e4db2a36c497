// trawl fetch: asks for the pages of a segment's lists.
//
//   reads        fetchlist, fetchlist_hosts, fetchlist_robots of the segment, a list a task
//   shuffles by  nothing
//   writes       fetch: a row for each URL that was asked or settled without asking
//                content: the bodies
//                hosts, robots: what was learned of them
//   counters     pages (bodies stored), fetched (page requests), robots_requests, bytes, wire_bytes, retries, hops,
//                hops_known (redirects to what is due in its own time), given_back, not_reached,
//                robots_unreachable_allowed, outcome.<name>, status.<code>
#include "jobs/fetch/fetch.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "jobs/fetch/identity.h"
#include "jobs/fetch/task.h"
#include "jobs/policy/scope.h"
#include "jobs/politeness/turns.h"
#include "jobs/segment/choice.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/segment_data.h"
#include "runtime/tables/table.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// As many as one machine runs of those that mostly wait.
constexpr size_t kTasksAtOnce = 64;

// A segment's domains may be another's from its end on: requests must have ended by then.
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

// Reports the chain's parts as the task's output.
Status Report(const std::vector<AttemptEntry>& parts, TaskContext& context) {
  const std::pair<const char*, int> datasets[] = {{FetchRow::kTable, FetchRow::kVersion},
                                                  {ContentRow::kTable, ContentRow::kVersion},
                                                  {HostRow::kTable, HostRow::kVersion},
                                                  {RobotsRow::kTable, RobotsRow::kVersion}};
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
  return Status::OK();
}

Status FetchOneList(TaskContext& context, const FetchTaskSettings& given, const StepTask& lists, AttemptChain& chain) {
  FetchTaskSettings settings = given;
  settings.until_ms = LastBeginning(context.plan(), settings.options, lists, context.NowMs());
  ARROW_ASSIGN_OR_RAISE(const CrawlScope scope, ScopeOfPlan(context.store(), context.snapshot(), context.plan()));
  FetchState state(settings.options, settings.robots, context.NowMs(), chain.continues());
  const auto pages_a_day = lists.facts.find("pages_a_day");
  if (pages_a_day != lists.facts.end() && pages_a_day->is_number_integer()) state.pages_a_day = *pages_a_day;
  ARROW_ASSIGN_OR_RAISE(auto urls, Table::Open<UrlRow>(context.store(), context.snapshot()));
  state.urls.emplace(std::move(urls));
  ARROW_ASSIGN_OR_RAISE(state.host_table, Table::Open<HostRow>(context.store(), context.snapshot()));
  ARROW_ASSIGN_OR_RAISE(state.robots_table, Table::Open<RobotsRow>(context.store(), context.snapshot()));
  ARROW_RETURN_NOT_OK(state.Load(context.store(), settings.segment, lists, chain.parts()));
  ARROW_ASSIGN_OR_RAISE(const auto task, FetchTask::Make(context, settings, scope, state, chain));
  return task->Run();
}

Status MapList(HostTurns& turns, TaskContext& context, const Json& part) {
  const int64_t began_ms = context.clock().MonotonicMs();
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
  ARROW_ASSIGN_OR_RAISE(const auto chain, AttemptChain::Begin(context.store(), context.clock(), context.stop(),
                                                              std::move(chain_options)));
  if (!chain->done()) {
    const Status fetched = FetchOneList(context, settings, record.tasks[static_cast<size_t>(list)], *chain);
    // A successor need not wait for an attempt that says it asks no more.
    if (!fetched.ok() && !chain->lost()) (void)chain->End(/*done=*/false);
    ARROW_RETURN_NOT_OK(fetched);
  }
  context.facts()["list"] = list;
  context.facts()["ran_ms"] = context.clock().MonotonicMs() - began_ms;
  return Report(chain->parts(), context);
}

std::string Readable(const JobResult& result, const std::string& segment) {
  if (!result.changed) return "segment " + segment + " was fetched before\n";
  const Counters& counters = result.output.counters;
  std::string text = "segment " + segment + ": " + ReadableCount(counters.Get("fetched"), "request") + ", " +
                     ReadableCount(counters.Get("pages"), "page") + " stored, " + ReadableSize(counters.Get("bytes")) +
                     " in " + ReadableDuration(static_cast<int64_t>(result.seconds * 1000)) + "\n";
  for (const auto& [name, count] : counters.counts()) {
    if (name.starts_with("outcome.")) text += "  " + name.substr(8) + ": " + ReadableCount(count) + "\n";
  }
  const int64_t left = counters.Get("not_reached") + counters.Get("given_back");
  if (left > 0) text += "  not reached: " + ReadableCount(left) + "\n";
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
  ARROW_RETURN_NOT_OK(context.Summarize(summary, Readable(result, choice.id)));
  return kExitDone;
}

}  // namespace

JobSpec FetchSpec() {
  // Of the tasks that this process runs.
  const auto turns = std::make_shared<HostTurns>();
  const auto map = [turns](TaskContext& context, const Json& part, RowSink&) { return MapList(*turns, context, part); };
  return {.name = "fetch", .mostly_waits = true, .map = map};
}

JobRequest FetchRequest(Store* store, const SegmentChoice& segment) {
  JobRequest request;
  request.spec = FetchSpec();
  request.commit = Commit::kStepRecord;
  request.step = kFetchStep;
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
    return Status::OK();
  };
  return request;
}

Verb FetchVerb() {
  return {.name = "fetch",
          .summary = "ask for the pages of a segment's lists",
          .description =
              "Asks for every URL of the segment, each host at its own pace, and stores what comes. Stopped or killed, "
              "the same command goes on where it was: pages are safe once their part is closed. Without --segment it "
              "takes the oldest segment that waits for it.",
          .examples = {{"The oldest segment that waits", "trawl fetch --contact https://you.example/"},
                       {"One segment, twice a second",
                        "trawl fetch --segment 20260101T000000Z-1f2e3d4c --fetch.delay_ms 500"}},
          .groups = {&SegmentOptionGroup(), &IdleOptionGroup(), &FetchOptionGroup(), &RobotsOptionGroup(),
                     &ScopeOptionGroup(), &JobOptionGroup()},
          .run = RunFetch};
}

}  // namespace trawl
