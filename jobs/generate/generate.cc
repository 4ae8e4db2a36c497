// trawl generate: chooses what to fetch next, and opens a segment with it.
//
// It runs two jobs: the first one (select_job.h) selects candidates, then a pure function (assign.h) chooses among them
// and shares them out, and the second one (lists_job.h) writes the lists.
//
//   reads        urls, hosts, robots, patterns, and the held domains of open segments
//   shuffles by  list
//   writes       the segment's fetchlist, fetchlist_hosts, fetchlist_robots and held
//   counters     those of jobs/generate/lists_job.cc; left out, by reason: those of jobs/select/select_job.cc
#include "jobs/generate/generate.h"

#include <algorithm>

#include "formats/rows/candidate_row.h"
#include "formats/rows/times.h"
#include "jobs/generate/lists_job.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/robots_options.h"
#include "jobs/policy/scope.h"
#include "jobs/segment/choice.h"
#include "jobs/segment/life.h"
#include "jobs/select/outlook.h"
#include "jobs/select/select_job.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "jobs/verb/lasting.h"
#include "jobs/verb/row_json.h"
#include "runtime/process/output.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/layout.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// A list costs a dozen files, and one task asks for this many pages in a second or two where nobody has to be waited for.
constexpr int64_t kUrlsAList = 100;

// "20260101T000000Z-generate-5f3a9c01" → "20260101T000000Z-5f3a9c01".
std::string SegmentOfJob(const std::string& job) {
  const size_t first = job.find('-'), last = job.rfind('-');
  return first == last ? job : job.substr(0, first) + job.substr(last);
}

// Rounds whose slowest host takes longer than this go to a cluster.
Result<int64_t> FarFromMs(const JobEnvironment& environment) {
  if (!environment.runner->OutlivesDriver()) return INT64_MAX;  // there is none
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, JobOptionGroup().Read(environment.options));
  return job.runner == RunnerKind::kAuto ? job.local_time_ms : 0;
}

Result<AssignOptions> AssignOptionsOf(const JobEnvironment& environment, int threads) {
  const OptionTexts& texts = environment.options;
  ARROW_ASSIGN_OR_RAISE(const int64_t far_from_ms, FarFromMs(environment));
  ARROW_ASSIGN_OR_RAISE(const GenerateOptions generate, GenerateOptionGroup().Read(texts));
  ARROW_ASSIGN_OR_RAISE(const FetchOptions fetch, FetchOptionGroup().Read(texts));
  return AssignOptions{.top_n = generate.top_n,
                       .per_domain = generate.per_domain,
                       .domain_turn = DomainTurnOf(generate.top_n, generate.domain_share),
                       .lists = generate.fetchers > 0 ? generate.fetchers : threads,
                       .slow_on_top = generate.fetchers == 0,
                       .urls_a_list = generate.fetchers == 0 ? kUrlsAList : 0,
                       .far_from_ms = far_from_ms,
                       .by_domain = fetch.politeness_by == PolitenessUnit::kDomain,
                       .time_limit_ms = generate.time_limit_ms};
}

std::vector<std::string> ChosenFiles(const Plan& plan) {
  std::vector<std::string> paths;
  for (const Json& part : plan.parts) {
    for (const Json& file : part["chosen"]) {
      paths.push_back(DatasetFilePath(plan.segment(), ChosenHostRow::kTable, file["name"].get<std::string>()));
    }
  }
  return paths;
}

Status SelectAndAssign(const JobEnvironment& environment, int64_t snapshot, int threads, GenerateOutcome* outcome) {
  ARROW_ASSIGN_OR_RAISE(const AssignOptions options, AssignOptionsOf(environment, threads));
  ARROW_ASSIGN_OR_RAISE(outcome->selection, RunSelectJob(environment, snapshot, outcome->segment, threads));
  ARROW_ASSIGN_OR_RAISE(outcome->assignment, AssignSelection(environment.store, outcome->selection, options));
  // Assign never saw the URLs that hosts could not take, nor those that the tasks cut off themselves.
  outcome->assignment.more = outcome->assignment.more || outcome->selection.counters.Get("overflow") > 0;
  return Status::OK();
}

// Opens the segment, and ends those whose time is over.
Result<bool> OpenTheSegment(const Plan& plan, const JobOutput& output, Manifest* next) {
  ARROW_ASSIGN_OR_RAISE(const GenerateOptions generate, GenerateOptionGroup().Read(plan.options));
  ExpireSegments(plan.now_ms, next);
  AddOpenSegment({.id = plan.segment(),
                  .opened_ms = plan.now_ms,
                  .until_ms = plan.now_ms + SegmentHoldMs(generate),
                  .job = plan.job,
                  .lists = output.step_seal},
                 next);
  return true;
}

// The URLs that are due and that no list takes, by the reason.
Json LeftOutCounts(const Selection& selection) {
  Json left_out = Json::object();
  for (const auto& [name, count] : selection.counters.counts()) {
    if (name != "due" && name != "candidates" && count > 0) left_out[name] = count;
  }
  return left_out;
}

// Selects and assigns, and plans the lists.
Status PlanSegment(const JobEnvironment& environment, const Snapshot& base, int threads, Plan* plan,
                   GenerateOutcome* outcome) {
  ARROW_RETURN_NOT_OK(SelectAndAssign(environment, base.manifest.number, threads, outcome));
  plan->facts["segment"] = outcome->segment;
  plan->facts["counted"] = ToJson(outcome->selection.counters);
  if (outcome->assignment.urls > 0) {
    ARROW_ASSIGN_OR_RAISE(const GenerateOptions generate, GenerateOptionGroup().Read(plan->options));
    ARROW_RETURN_NOT_OK(PlanScope(environment.store, plan));
    ARROW_RETURN_NOT_OK(PlanListsJob(environment.store, outcome->selection, outcome->assignment, generate, plan));
    plan->work.bytes = BytesToSelectFrom(base.manifest);
  } else {
    outcome->segment.clear();
  }
  Selection files = outcome->selection;
  files.offers.clear();
  return environment.DoAfterwards(
      [store = environment.store, files = std::move(files)] { return RemoveSelection(store, files); });
}

}  // namespace

Result<GenerateOutcome> GenerateSegment(const std::string& segment, int threads,
                                        const std::function<Result<JobResult>(const JobRequest& request)>& run) {
  GenerateOutcome outcome;
  Store* store = nullptr;
  std::vector<std::string> chosen;  // what the two jobs told each other, which nobody reads afterwards
  JobRequest request;
  request.spec = GenerateListsSpec();
  request.commit = Commit::kSegmentLists;
  request.plan = [&](const JobEnvironment& environment, const Snapshot& base, Plan* plan) -> Status {
    outcome = GenerateOutcome();
    outcome.segment = segment.empty() ? SegmentOfJob(plan->job) : segment;
    outcome.was_there = FindSegment(base.manifest, outcome.segment).has_value();
    if (outcome.was_there) return Status::OK();
    ARROW_RETURN_NOT_OK(PlanSegment(environment, base, threads, plan, &outcome));
    store = environment.store;
    const std::vector<std::string> more = ChosenFiles(*plan);
    chosen.insert(chosen.end(), more.begin(), more.end());
    // Where nothing is due, the folder of a segment that will never be is empty.
    const bool is_own_folder = segment.empty() && plan->parts.empty();
    return is_own_folder ? store->RemoveFolder(SegmentFolder(plan->segment())) : Status::OK();
  };
  request.apply = OpenTheSegment;
  request.details = [&outcome](const JobEnvironment&, const Plan&, const JobResult&) -> Result<Json> {
    return Json{{"due", outcome.selection.counters.Get("due")}, {"left_out", LeftOutCounts(outcome.selection)}};
  };
  ARROW_ASSIGN_OR_RAISE(outcome.job, run(request));
  for (const std::string& path : chosen) ARROW_RETURN_NOT_OK(store->Remove(path));
  return outcome;
}

Result<GenerateOutcome> GenerateSegment(const JobEnvironment& environment, const std::string& segment, int threads) {
  return GenerateSegment(segment, threads,
                         [&environment](const JobRequest& request) { return RunJob(environment, request); });
}

Result<GenerateOutcome> TryGenerate(const JobEnvironment& environment, int threads) {
  ARROW_ASSIGN_OR_RAISE(const Snapshot base, ReadPresent(environment.store));
  GenerateOutcome outcome;
  outcome.segment = SegmentOfJob(NewJobId("try", environment.now_ms));
  ARROW_RETURN_NOT_OK(SelectAndAssign(environment, base.manifest.number, threads, &outcome));
  ARROW_RETURN_NOT_OK(RemoveSelection(environment.store, outcome.selection));
  ARROW_RETURN_NOT_OK(environment.store->RemoveFolder(SegmentFolder(outcome.segment)));
  outcome.segment.clear();
  return outcome;
}

OptionTexts GenerateOptionTexts() {
  OptionTexts texts = GenerateOptionGroup().Print({});
  texts.merge(FetchOptionGroup().Print({}));
  texts.merge(RobotsOptionGroup().Print({}));
  texts.merge(ScopeOptionGroup().Print({}));
  texts.merge(JobOptionGroup().Print({}));
  return texts;
}

namespace {

int64_t LongestMs(const Assignment& assignment) {
  int64_t longest_ms = 0;
  for (const ListSummary& list : assignment.lists) longest_ms = std::max(longest_ms, list.expected_ms);
  return longest_ms;
}

Json RoundJson(const GenerateOutcome& outcome, TimeMs now_ms) {
  const Assignment& assignment = outcome.assignment;
  Json json = {{"urls", assignment.urls}, {"more_due", assignment.more}, {"expected_ms", LongestMs(assignment)}};
  for (int tier = 0; tier < kTiers; ++tier) {
    json["tiers"][NameOf(static_cast<UrlTier>(tier))] = assignment.tiers[static_cast<size_t>(tier)];
  }
  int64_t hosts = 0, domains = 0, bytes = 0;
  json["lists"] = Json::array();
  for (const ListSummary& list : assignment.lists) {
    hosts += list.hosts;
    domains += list.domains;
    bytes += list.bytes;
    json["lists"].push_back({{"urls", list.urls},
                             {"hosts", list.hosts},
                             {"domains", list.domains},
                             {"expected_bytes", list.bytes},
                             {"expected_ms", list.expected_ms},
                             {"slow", list.slow}});
  }
  json["hosts"] = hosts;
  json["domains"] = domains;
  json["expected_bytes"] = bytes;
  json["left_out"] = LeftOutCounts(outcome.selection);
  json["left_out_until"] = Json::object();
  for (const auto& [name, until_ms] : outcome.selection.left_out_until_ms) {
    json["left_out_until"][name] = TimeJson(until_ms);
  }
  const Json outlook = ToJson(OutlookOf(outcome.selection, now_ms));
  for (const char* name : {"due", "held"}) json[name] = outlook[name];
  return json;
}

std::string RoundText(const Json& round) {
  const auto count = [](const Json& json, const char* name) { return json[name].get<int64_t>(); };
  std::string text =
      ReadableCount(count(round, "urls"), "page") + " of " + ReadableCount(count(round, "hosts"), "host") + " on " +
      ReadableCount(static_cast<int64_t>(round["lists"].size()), "list") + "; about " +
      ReadableDuration(count(round, "expected_ms")) + " and " + ReadableSize(count(round, "expected_bytes")) + "\n";
  text += "tiers: " + ReadableCount(count(round["tiers"], "high")) + " high, " +
          ReadableCount(count(round["tiers"], "medium")) + " medium, " + ReadableCount(count(round["tiers"], "low")) +
          " low" + (round["more_due"].get<bool>() ? "; more URLs are due\n" : "\n");
  for (const Json& list : round["lists"]) {
    text += "  list: " + ReadableCount(count(list, "urls"), "page") + ", " +
            ReadableCount(count(list, "hosts"), "host") + ", " + ReadableDuration(count(list, "expected_ms")) +
            (list["slow"].get<bool>() ? ", slow hosts" : "") + "\n";
  }
  const std::string held = HeldText(round["held"]);
  return held.empty() ? text : text + held + "\n";
}

// Nothing can be fetched: says what holds what is due, and when something can be.
Result<int> AnswerIdle(VerbContext& context, const GenerateOutcome& outcome) {
  ARROW_ASSIGN_OR_RAISE(const IdleOptions idle, context.Read(IdleOptionGroup()));
  const Outlook outlook = OutlookOf(outcome.selection, context.global.now_ms);
  Json json = RoundJson(outcome, context.global.now_ms);
  json["changed"] = false;
  json["segment"] = nullptr;
  json["next_due"] = TimeJson(outlook.next_ms);
  ARROW_RETURN_NOT_OK(context.Summarize(json, IdleText(outlook, context.global.now_ms) + "\n"));
  return idle.idle_exit;
}

Result<int> RunGenerate(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const GenerateOptions options, context.Read(GenerateOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const SegmentOptions segment, context.Read(SegmentOptionGroup()));
  if (!segment.segment.empty() && !IsValidId(segment.segment)) {
    return UsageError("--segment '", segment.segment, "': an id has 1 to 100 letters, digits, '-', '_' and '.'");
  }
  GenerateOutcome outcome;
  if (options.dry_run) {
    ARROW_RETURN_NOT_OK(crawl->RunWith(context, [&](const JobEnvironment& environment) {
      return TryGenerate(environment, context.global.threads).Value(&outcome);
    }));
    if (outcome.assignment.urls == 0) return AnswerIdle(context, outcome);
    Json json = RoundJson(outcome, context.global.now_ms);
    json["changed"] = false;
    json["dry_run"] = true;
    ARROW_RETURN_NOT_OK(context.Answer(json, RoundText(json)));
    return kExitDone;
  }
  ARROW_RETURN_NOT_OK(KeepQuotas(context, *crawl));
  const auto run = [&](const JobRequest& request) { return crawl->Run(context, request); };
  ARROW_ASSIGN_OR_RAISE(outcome, GenerateSegment(segment.segment, context.global.threads, run));
  const JobResult& result = outcome.job;
  if (outcome.segment.empty()) return AnswerIdle(context, outcome);
  Json json = {{"changed", result.changed}, {"snapshot", result.snapshot}, {"segment", outcome.segment}};
  if (!outcome.was_there) {
    json = RoundJson(outcome, context.global.now_ms);
    json.update({{"job", result.job},
                 {"changed", result.changed},
                 {"snapshot", result.snapshot},
                 {"seconds", result.seconds},
                 {"segment", outcome.segment}});
  }
  ARROW_RETURN_NOT_OK(context.Summarize(json, outcome.was_there ? "this segment is already there\n" : RoundText(json)));
  // A program reads the id from the last line.
  if (!context.global.json) context.process.out << outcome.segment << "\n";
  ARROW_RETURN_NOT_OK(CheckOutput(context.process.out));
  return kExitDone;
}

}  // namespace

Verb GenerateVerb() {
  return {
      .name = "generate",
      .summary = "choose the URLs to fetch next, and open a segment for them",
      .purpose = VerbPurpose::kStep,
      .description =
          "Takes the best due URLs of every host, as many as its delay allows within the time limit, and keeps the "
          "best of all of them. They are split into lists, one per fetch task; a domain is on one list only. While the "
          "segment is open, no other round visits its domains. The last line on standard output is the segment's id. "
          "If nothing is due, the exit code is 1, or --idle_exit.",
      .examples = {{"As much as fits into an hour", "trawl generate"},
                   {"Show what a round would take", "trawl generate --time_limit 4h --dry_run"},
                   {"The best thousand, with an id that a retry repeats",
                    "trawl generate --top_n 1000 --segment 2026-01-01"}},
      .groups = {&GenerateOptionGroup(), &SegmentOptionGroup(), &IdleOptionGroup()},
      .other_groups = {&ScopeOptionGroup(), &FetchOptionGroup(), &RobotsOptionGroup(), &JobOptionGroup()},
      .other_main_options = {"generate.fetchers", "generate.hold", "generate.dry_run", "fetch.delay_ms", "job.runner"},
      .run = RunGenerate};
}

}  // namespace trawl
