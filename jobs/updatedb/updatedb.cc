// trawl updatedb: applies a segment to the crawldb.
//
//   reads        fetch, parse, links, hosts and robots of the segment; the sidecars of urls, and the rows that it
//                rewrites
//   shuffles by  slot and key: a host, then its robots.txt and URLs
//   writes       urls: a row for each URL that is new or has changed (jobs/updatedb/next_state.h)
//                hosts, robots: the same (jobs/updatedb/next_host.h)
//                outlinks: a row for each page that was read
//                the segment is applied: exactly once
//   counters     fetched, of which new, changed, unchanged, not_parsed; not_modified, redirected, gone, failing,
//                throttled, denied, deferred, refused, late, given_back; refreshed, of which within_window; links, of
//                which links_new, links_known (links_raised of these), links_too_deep, links_trap (over the limit of a
//                suspected trap); removed; of sitemaps: links_foreign, lists_over_limit, entries_over_limit,
//                due_by_lastmod, no_sitemap; rows written: urls, of which urls_new;
//                outlinks, and outlinks_cut, the links beyond the end of their list; hosts, hosts_new, hosts_suspected,
//                domains, robots; reread: pages of which a stored body was read again; to_read: how many more pages are
//                to be read again; probes: answers to paths that cannot exist
#include "jobs/updatedb/updatedb.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "formats/documents/sealed_json.h"
#include "formats/rows/host_row.h"
#include "formats/rows/robots_row.h"
#include "formats/rows/settle_rows.h"
#include "formats/rows/url_row.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/robots_options.h"
#include "jobs/policy/scope.h"
#include "jobs/policy/settle_options.h"
#include "jobs/policy/sitemap_options.h"
#include "jobs/refresh/refresh_numbers.h"
#include "jobs/refresh/refresh_rules.h"
#include "jobs/segment/choice.h"
#include "jobs/segment/life.h"
#include "jobs/stats/round.h"
#include "jobs/stats/totals.h"
#include "jobs/updatedb/link_fold.h"
#include "jobs/updatedb/map.h"
#include "jobs/updatedb/reduce.h"
#include "jobs/verb/crawl.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/attempt_chain.h"
#include "runtime/root/layout.h"
#include "runtime/root/planned_bytes.h"
#include "runtime/root/segment_data.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

Result<StepRecord> StepOf(Store* store, const std::string& segment, const char* step) {
  ARROW_ASSIGN_OR_RAISE(std::optional<StepRecord> record, ReadStep(store, segment, step));
  if (!record) return Status::IOError(DatasetRecordPath(segment, step), ": is not there");
  return *std::move(record);
}

// The text of the rules, which make sense.
Result<std::string> SoundRefreshRules(const RefreshOptions& options) {
  ARROW_ASSIGN_OR_RAISE(std::string text, ReadRefreshRules(options));
  const Status sound = RefreshRules::Parse(text, options.rules).status();
  if (!sound.ok()) return UsageError(sound.message());
  return text;
}

// Puts the rules into the plan: a task may run on a machine without the file.
Status PlanRefreshRules(Plan* plan) {
  ARROW_ASSIGN_OR_RAISE(const RefreshOptions options, RefreshOptionGroup().Read(plan->options));
  ARROW_ASSIGN_OR_RAISE(plan->facts["refresh_rules"], SoundRefreshRules(options));
  return Status::OK();
}

// Records the runs of urls that existed when the lists were made (the lists already reflect them), and that time.
Status PlanLists(Store* store, const SegmentChoice& segment, StepRecord* record, Plan* plan) {
  ARROW_ASSIGN_OR_RAISE(StepRecord lists, ReadLists(store, segment.id, segment.job, segment.lists));
  ARROW_ASSIGN_OR_RAISE(const Snapshot base, ReadSnapshot(store, lists.snapshot));
  plan->facts["round_ms"] = lists.now_ms;
  Json& runs = plan->facts["older_runs"] = Json::array();
  const auto table = base.manifest.tables.find(UrlRow::kTable);
  *record = std::move(lists);
  if (table == base.manifest.tables.end()) return Status::OK();
  for (const RunReference& run : table->second) runs.push_back(run.run);
  return Status::OK();
}

// What the driver knows of the segment that it applies.
struct Applied {
  StepRecord lists, fetch, parse;
  bool has_parse = true;
  int64_t planned_ms = 0;  // by the monotonic clock
};

Status PlanSegment(Store* store, const Manifest& present, const std::string& named, const JobOptions& job,
                   Applied* applied, Plan* plan) {
  ARROW_ASSIGN_OR_RAISE(const SegmentChoice segment, ChooseSegment(store, present, SegmentStep::kUpdatedb, named));
  plan->facts["segment"] = segment.id;
  if (segment.is_done) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(applied->fetch, StepOf(store, segment.id, kFetchStep));
  ARROW_ASSIGN_OR_RAISE(applied->parse, StepOf(store, segment.id, kParseStep));
  ARROW_RETURN_NOT_OK(PlanLists(store, segment, &applied->lists, plan));
  ARROW_RETURN_NOT_OK(PlanRefreshRules(plan));
  ARROW_RETURN_NOT_OK(PlanScope(store, plan));
  plan->parts = UpdatedbParts(applied->fetch, applied->parse);
  plan->partitions = PartitionsFor(job, UpdatedbShuffleBytes(applied->fetch, applied->parse));
  return Status::OK();
}

// The numbers of all tasks, by class of pages.
Result<RefreshNumbers> RefreshNumbersOf(const JobOutput& output) {
  RefreshNumbers numbers;
  for (const TaskReceipt& receipt : output.receipts) {
    if (receipt.facts.is_object() && HasMember(receipt.facts, "classes"))
      ARROW_RETURN_NOT_OK(numbers.Merge(receipt.facts["classes"]));
  }
  return numbers;
}

// Makes the round's document before the manifest that names it.
Status AddRound(const JobEnvironment& environment, const Applied& applied, const Plan& plan, const JobOutput& output,
                Manifest* next) {
  ARROW_ASSIGN_OR_RAISE(const RefreshNumbers refreshed, RefreshNumbersOf(output));
  ARROW_ASSIGN_OR_RAISE(Json round, MakeRound({.store = environment.store,
                                               .lists = applied.lists,
                                               .fetched = applied.fetch,
                                               .parsed = applied.parse,
                                               .plan = plan,
                                               .counters = output.counters,
                                               .updatedb_ms = environment.clock->MonotonicMs() - applied.planned_ms,
                                               .next = *next}));
  round["classes"] = ToJson(refreshed);
  ClosedSegment& closed = next->closed_segments.back();
  closed.updatedb = plan.job;
  ARROW_ASSIGN_OR_RAISE(closed.round, StoreRound(environment.store, plan.job, round));
  return Status::OK();
}

Result<bool> ApplySegmentOutput(const JobEnvironment& environment, const Applied& applied, const Plan& plan,
                                const JobOutput& output, Manifest* next) {
  ARROW_ASSIGN_OR_RAISE(const bool applies, ApplySegment(plan.segment(), next));
  if (!applies) return false;
  ARROW_RETURN_NOT_OK(AppendRuns(plan, output, next).status());
  ARROW_RETURN_NOT_OK(AddTotals(plan, output, next));
  AddSegment(applied.fetch, &*next->totals);
  ARROW_RETURN_NOT_OK(AddRound(environment, applied, plan, output, next));
  return true;
}

// The round in brief, for the job's report; the rest is in its document.
Result<Json> DetailsOf(const JobEnvironment& environment, const Plan& plan, const JobResult& result) {
  const std::string path = RoundPath(plan.job);
  ARROW_ASSIGN_OR_RAISE(const std::string text, environment.store->ReadWhole(path, kMostRoundBytes));
  ARROW_ASSIGN_OR_RAISE(const Json round, OpenSealedJson(text, path));
  const Json& fetch = round["fetch"];
  environment.Log(LogLevel::kInfo, "round_applied",
                  {{"verb", plan.verb},
                   {"job", plan.job},
                   {"segment", plan.segment()},
                   {"snapshot", result.snapshot},
                   {"pages", fetch["pages"]},
                   {"fetched", fetch["fetched"]},
                   {"urls_new", round["urls_new"]}});
  return Json{{"links", round["links"]},       {"answer_to_applied_ms", round["answer_to_applied_ms"]},
              {"frontier", round["frontier"]}, {"totals", round["totals"]},
              {"classes", round["classes"]},   {"duplicate_rate", fetch["duplicate_rate"]}};
}

}  // namespace

JobSpec UpdatedbSpec() {
  return {.name = "updatedb", .map = MapSegment, .reduce = ReduceSegment, .combiner = [] {
            return std::make_unique<LinkCombiner>();
          }};
}

namespace {

using PlanApplied = std::function<Status(const Manifest& present, Applied* applied, Plan* plan)>;
using ApplyApplied = Result<bool> (*)(const JobEnvironment& environment, const Applied& applied, const Plan& plan,
                                      const JobOutput& output, Manifest* next);

// A request whose plan and publication share what the plan has read of the segment.
JobRequest RequestOf(PlanApplied plan_applied, ApplyApplied apply_applied) {
  JobRequest request;
  request.spec = UpdatedbSpec();
  const auto applied = std::make_shared<Applied>();
  const auto used = std::make_shared<const JobEnvironment*>(nullptr);
  request.plan = [plan_applied = std::move(plan_applied), applied, used](const JobEnvironment& environment,
                                                                         const Snapshot& base, Plan* plan) -> Status {
    *used = &environment;
    applied->planned_ms = environment.clock->MonotonicMs();
    ARROW_RETURN_NOT_OK(plan_applied(base.manifest, applied.get(), plan));
    if (plan->parts.empty()) return Status::OK();
    // The reducers read the known rows beside the shuffled ones.
    plan->work.bytes =
        UpdatedbShuffleBytes(applied->fetch, applied->parse) +
        BytesOfTables(base.manifest, {UrlRow::kTable, HostRow::kTable, RobotsRow::kTable, PatternRow::kTable});
    return PlanTotals(environment, base, plan);
  };
  request.apply = [apply_applied, applied, used](const Plan& plan, const JobOutput& output, Manifest* next) {
    return apply_applied(**used, *applied, plan, output, next);
  };
  return request;
}

}  // namespace

JobRequest UpdatedbRequest(Store* store, const std::string& segment, const JobOptions& job) {
  const auto plan_segment = [store, segment, job](const Manifest& present, Applied* applied, Plan* plan) {
    return PlanSegment(store, present, segment, job, applied, plan);
  };
  JobRequest request = RequestOf(plan_segment, ApplySegmentOutput);
  request.details = DetailsOf;
  return request;
}

namespace {

Status PlanReading(Store* store, const Manifest& present, const ReadingAgain& reading, const JobOptions& job,
                   Applied* applied, Plan* plan) {
  plan->facts["segment"] = reading.segment;
  if (FindSegment(present, reading.segment)) return Status::OK();
  applied->parse = StepRecord{.segment = reading.segment, .step = kParseStep};
  applied->has_parse = reading.has_parse;
  if (reading.has_parse) {
    ARROW_ASSIGN_OR_RAISE(applied->parse, StepOf(store, reading.segment, kParseStep));
  }
  plan->facts[kReadsAgain] = {{"left", reading.left ? Json(*reading.left) : Json()}, {"gone", reading.gone}};
  // No list was made before, and no fetch has news of an origin.
  plan->facts["round_ms"] = 0;
  plan->facts["older_runs"] = Json::array();
  ARROW_RETURN_NOT_OK(PlanRefreshRules(plan));
  ARROW_RETURN_NOT_OK(PlanScope(store, plan));
  plan->parts = UpdatedbParts(applied->fetch, applied->parse);
  plan->partitions = PartitionsFor(job, UpdatedbShuffleBytes(applied->fetch, applied->parse));
  return Status::OK();
}

Result<bool> ApplyReadingOutput(const JobEnvironment& environment, const Applied& applied, const Plan& plan,
                                const JobOutput& output, Manifest* next) {
  if (FindSegment(*next, plan.segment())) return false;
  if (!applied.has_parse) {
    ARROW_ASSIGN_OR_RAISE(const ReadPolicy policy, ReadPolicyOfPlan(plan));
    NoteNothingToRead(policy, next);
    return true;
  }
  ARROW_RETURN_NOT_OK(AppendRuns(plan, output, next).status());
  ARROW_RETURN_NOT_OK(AddTotals(plan, output, next));
  const std::string job = applied.parse.job.empty() ? plan.job : applied.parse.job;
  AddReading({.id = plan.segment(), .end = SegmentEnd::kApplied, .job = job, .lists = "", .snapshot = next->number},
             next);
  ARROW_ASSIGN_OR_RAISE(const Json round,
                        MakeReadingRound({.store = environment.store,
                                          .lists = applied.lists,
                                          .fetched = applied.fetch,
                                          .parsed = applied.parse,
                                          .plan = plan,
                                          .counters = output.counters,
                                          .updatedb_ms = environment.clock->MonotonicMs() - applied.planned_ms,
                                          .next = *next}));
  ClosedSegment& closed = next->closed_segments.back();
  closed.updatedb = plan.job;
  ARROW_ASSIGN_OR_RAISE(closed.round, StoreRound(environment.store, plan.job, round));
  return true;
}

}  // namespace

JobRequest ApplyReadingRequest(Store* store, const ReadingAgain& reading, const JobOptions& job) {
  const auto plan_reading = [store, reading, job](const Manifest& present, Applied* applied, Plan* plan) {
    return PlanReading(store, present, reading, job, applied, plan);
  };
  return RequestOf(plan_reading, ApplyReadingOutput);
}

void ForgetAttempts(Store* store, const std::string& segment) { (void)RemoveAttempts(store, segment); }

OptionTexts UpdatedbOptionTexts() {
  OptionTexts texts = RefreshOptionGroup().Print({});
  texts.merge(ScopeOptionGroup().Print({}));
  texts.merge(FetchOptionGroup().Print({}));
  texts.merge(RobotsOptionGroup().Print({}));
  texts.merge(SitemapOptionGroup().Print({}));
  texts.merge(SettleOptionGroup().Print({}));
  texts.merge(JobOptionGroup().Print({}));
  return texts;
}

namespace {

// The details as members of the summary, in which "links" is a counter.
Json RenamedLinks(Json details) {
  if (!details.contains("links")) return details;
  details["links_refused"] = details["links"]["refused"];
  details.erase("links");
  return details;
}

std::string ReadableRound(const Json& details) {
  if (!details.contains("links")) return "";
  std::string text;
  for (const auto& [rule, count] : details["links"]["refused"].items()) {
    text += (text.empty() ? "links refused: " : ", ") + ReadableCount(count.get<int64_t>()) + " " + rule;
  }
  std::replace(text.begin(), text.end(), '_', ' ');
  if (!text.empty()) text += "\n";
  text += ReadableCount(details["frontier"].get<int64_t>(), "URL") + " not fetched yet\n";
  const Json& lag = details["answer_to_applied_ms"];
  if (lag.is_null()) return text;
  return text + "answers applied after " + ReadableDuration(lag["median"].get<int64_t>()) + " (median), 99 % within " +
         ReadableDuration(lag["p99"].get<int64_t>()) + "\n";
}

std::string Readable(const JobResult& result, const std::string& segment) {
  if (!result.changed) return "segment " + segment + " is already applied\n";
  const Counters& counters = result.output.counters;
  std::string text;
  const auto add = [&](const char* name, const char* words) {
    const int64_t count = counters.Get(name);
    if (count > 0) text += (text.empty() ? "" : ", ") + ReadableCount(count) + words;
  };
  add("new", " fetched for the first time");
  add("changed", " changed");
  add("unchanged", " unchanged");
  add("not_modified", " not modified");
  add("redirected", " redirected");
  add("failing", " failing");
  add("gone", " gone");
  add("denied", " denied");
  add("deferred", " deferred");
  add("refused", " refused");
  add("urls_new", " new URLs");
  if (text.empty()) text = "no URL has changed";
  if (const int64_t refreshed = counters.Get("refreshed"); refreshed > 0) {
    text += "\n" + std::to_string(100 * counters.Get("within_window") / refreshed) + " % of " +
            ReadableCount(refreshed, "page") + " fetched again on time";
    if (result.details.contains("classes")) text += "\n" + ReadableClasses(result.details["classes"], "  ");
    if (text.back() == '\n') text.pop_back();
  }
  return text + "\n" + ReadableRound(result.details) + "snapshot " + std::to_string(result.snapshot) + "\n";
}

Result<int> RunUpdatedb(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const SegmentOptions options, context.Read(SegmentOptionGroup()));
  // Said at once, not when a segment is ready at last.
  ARROW_ASSIGN_OR_RAISE(const RefreshOptions refresh, context.Read(RefreshOptionGroup()));
  ARROW_RETURN_NOT_OK(SoundRefreshRules(refresh).status());
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const SegmentChoice segment,
                        ChooseSegment(crawl->store(), crawl->manifest(), SegmentStep::kUpdatedb, options.segment));
  if (segment.id.empty()) return SayNoSegment(context, SegmentStep::kUpdatedb);
  ARROW_ASSIGN_OR_RAISE(const JobResult result, crawl->Run(context, UpdatedbRequest(crawl->store(), segment.id, job)));
  ForgetAttempts(crawl->store(), segment.id);
  Json json = SummaryOf(result);
  // The counter of pages that changed has the name of the flag that every job answers with.
  json["changed"] = result.changed;
  if (const int64_t changed = result.output.counters.Get("changed"); changed > 0) json["pages_changed"] = changed;
  json["segment"] = segment.id;
  json.update(RenamedLinks(result.details));
  ARROW_RETURN_NOT_OK(context.Summarize(json, Readable(result, segment.id)));
  return kExitDone;
}

}  // namespace

Verb UpdatedbVerb() {
  return {
      .name = "updatedb",
      .summary = "record the outcome of a fetched and parsed segment",
      .purpose = VerbPurpose::kStep,
      .description =
          "The outcome of each page decides its state and when it is due next. New links enter the crawl, and what was "
          "learned about hosts and robots.txt is stored. A segment is applied once: applying it again changes nothing. "
          "An expired segment can still be applied, an abandoned one cannot.",
      .examples = {{"The oldest segment that is ready", "trawl updatedb"},
                   {"One segment, as a scheduler's retry does", "trawl updatedb --segment 20260101T000000Z-5f3a9c01"}},
      .groups = {&SegmentOptionGroup(), &RefreshOptionGroup(), &IdleOptionGroup()},
      .other_groups = {&ScopeOptionGroup(), &FetchOptionGroup(), &RobotsOptionGroup(), &SitemapOptionGroup(),
                       &SettleOptionGroup(), &JobOptionGroup()},
      .other_main_options = {"urls.scope", "urls.scope_rules", "urls.depth", "job.runner"},
      .run = RunUpdatedb};
}

}  // namespace trawl
