#include "jobs/settle/settle.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "formats/digests/digest.h"
#include "formats/rows/settle_rows.h"
#include "formats/rows/url_row.h"
#include "jobs/policy/scope.h"
#include "jobs/settle/changed_urls.h"
#include "jobs/settle/exact_job.h"
#include "jobs/settle/near_job.h"
#include "jobs/settle/verdicts_job.h"
#include "jobs/stats/totals.h"
#include "jobs/verb/job_options.h"
#include "jobs/yields/pattern_updates.h"
#include "runtime/job/run_facts.h"
#include "runtime/options/global.h"
#include "runtime/root/layout.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Identifies what decides of near ones.
int64_t PolicyOf(const SettleOptions& options) {
  std::string text = std::to_string(static_cast<int>(options.near_policy));
  if (options.near_policy != NearPolicy::kNone) {
    text += " " + std::to_string(options.distance) + (options.second_look ? " second look" : "");
  }
  return static_cast<int64_t>(Hash64(text) >> 1);
}

bool HasUrls(const Manifest& snapshot) {
  const auto urls = snapshot.tables.find(UrlRow::kTable);
  return urls != snapshot.tables.end() && !urls->second.empty();
}

// Whether nothing that an earlier settle decided can be built upon.
bool MustDecideAll(const Manifest& snapshot, const SettleOptions& options) {
  const auto policy = snapshot.read_to.find(kSettlePolicyMark);
  return policy == snapshot.read_to.end() || policy->second != PolicyOf(options) ||
         SettledRunsOf(snapshot).settled.empty();
}

// The three jobs of one settle.
class SettleJobs {
 public:
  SettleJobs(const SettleWish& wish, const SettleOptions& options, bool learns_parameters, const JobOptions& job,
             int threads)
      : wish_(wish), options_(options), learns_parameters_(learns_parameters), job_(job), threads_(threads) {}

  // Runs the first two jobs on the snapshot.
  Status Plan(const JobEnvironment& environment, const Snapshot& base, trawl::Plan* plan) {
    RemoveTemporary(environment.store);
    jobs_.clear();
    are_taken_up_ = environment.does_afterwards();
    exact_ = near_ = JobOutput();
    JobEnvironment noted = environment;
    noted.began = [this, &environment](const trawl::Plan& begun) -> std::shared_ptr<void> {
      jobs_.push_back(begun.job);
      return environment.began ? environment.began(begun) : nullptr;
    };
    all_ = wish_.all || MustDecideAll(base.manifest, options_);
    if (!HasUrls(base.manifest) || (!all_ && SettledRunsOf(base.manifest).news.empty())) return Status::OK();
    const int64_t number = base.manifest.number;
    ARROW_ASSIGN_OR_RAISE(exact_, Run(noted, ExactJobRequest(number, all_, job_, threads_)));
    const auto contents = exact_.runs.find(SettledContentRow::kTable);
    if (contents != exact_.runs.end() && options_.near_policy != NearPolicy::kNone) {
      ARROW_ASSIGN_OR_RAISE(near_, Run(noted, NearJobRequest(number, contents->second, all_, job_, threads_)));
    }
    const SettleRuns runs = {.exact_verdicts = RunsOf(exact_, VerdictRow::kTable),
                             .near_verdicts = RunsOf(near_, VerdictRow::kTable),
                             .digests = RunsOf(exact_, DigestRow::kTable),
                             .all = all_};
    ARROW_RETURN_NOT_OK(PlanVerdicts(base.manifest, runs, job_, threads_, plan));
    if (learns_parameters_) plan->facts[kLearnsParameters] = true;
    return PlanTotals(environment, base, plan);
  }

  // Publishes what all three jobs made.
  Result<bool> Apply(const trawl::Plan& plan, const JobOutput& output, Manifest* next) const {
    ARROW_RETURN_NOT_OK(AddTotals(plan, output, next));
    std::vector<RunReference>& urls = next->tables[UrlRow::kTable];
    ARROW_RETURN_NOT_OK(AppendRuns(plan, output, next).status());
    for (RunReference& run : urls) run.is_settled = true;
    Put<DigestRow>(exact_, next);
    Put<FingerprintRow>(near_, next);
    next->read_to[kSettleMark] = plan.snapshot;
    next->read_to[kSettlePolicyMark] = PolicyOf(options_);
    return true;
  }

  // Removes what the jobs before the third one told each other. A folder that cannot be removed is left to gc.
  void RemoveTemporary(Store* store) {
    for (const std::string& job : jobs_) {
      for (const char* const table : {SettledContentRow::kTable, VerdictRow::kTable})
        (void)store->RemoveFolder(RunFolder(table, job));
      if (Wrote<DigestRow>(exact_, job) || Wrote<FingerprintRow>(near_, job)) continue;
      (void)store->RemoveFolder(RunFolder(FingerprintRow::kTable, job));
      (void)store->RemoveFolder(RunFolder(kSmallRuns, job));
    }
  }
  // Their counters stand in the report of the third one.
  void RemoveReports(Store* store) {
    for (const std::string& job : jobs_) (void)store->RemoveFolder(JobFolder(job));
  }

  bool all() const { return all_; }
  // Whether the next command takes up the jobs that ran, where this one ends early.
  bool are_taken_up() const { return are_taken_up_; }
  Counters CountersWith(const Counters& last) const {
    Counters counters = exact_.counters;
    counters.Merge(near_.counters);
    counters.Merge(last);
    return counters;
  }

 private:
  static Result<JobOutput> Run(const JobEnvironment& environment, const JobRequest& request) {
    ARROW_ASSIGN_OR_RAISE(JobResult result, RunJob(environment, request));
    return std::move(result.output);
  }

  template <typename Row>
  static bool Wrote(const JobOutput& output, const std::string& job) {
    const auto run = output.runs.find(Row::kTable);
    return run != output.runs.end() && run->second.run == job;
  }

  template <typename Row>
  void Put(const JobOutput& output, Manifest* next) const {
    if (all_) next->tables.erase(Row::kTable);
    for (const RunReference& run : RunsOf(output, Row::kTable)) next->tables[Row::kTable].push_back(run);
  }

  const SettleWish wish_;
  const SettleOptions options_;
  const bool learns_parameters_;
  const JobOptions job_;
  const int threads_;
  bool all_ = false;
  bool are_taken_up_ = false;
  JobOutput exact_, near_;
  std::vector<std::string> jobs_;  // that ran before the third one, or before them
};

Json DetailsOf(const SettleJobs& jobs, const JobResult& result) {
  const Counters counters = jobs.CountersWith(result.output.counters);
  return {{"all", jobs.all()},
          {"pages", counters.Get("pages")},
          {"exact", counters.Get("exact")},
          {"near", counters.Get("near")},
          {"cleared", counters.Get("cleared")},
          {"bytes_saved", counters.Get("bytes_saved")}};
}

}  // namespace

OptionTexts SettleOptionTexts() {
  OptionTexts texts = SettleOptionGroup().Print({});
  texts.merge(GlobalOptionGroup().Print({}));
  texts.merge(JobOptionGroup().Print({}));
  texts.merge(ScopeOptionGroup().Print({}));
  return texts;
}

bool HasToSettle(const Manifest& present, const SettleOptions& options) {
  return HasUrls(present) && (MustDecideAll(present, options) || !SettledRunsOf(present).news.empty());
}

Result<Settled> Settle(Store* store, const OptionTexts& options, const SettleWish& wish, const StopToken& stop,
                       const RunJobHere& run) {
  ARROW_RETURN_NOT_OK(stop.Check());
  ARROW_ASSIGN_OR_RAISE(const SettleOptions settle, SettleOptionGroup().Read(options));
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, JobOptionGroup().Read(options));
  ARROW_ASSIGN_OR_RAISE(const GlobalOptions global, GlobalOptionGroup().Read(options));
  ARROW_ASSIGN_OR_RAISE(const ScopeOptions scope, ScopeOptionGroup().Read(options));
  SettleJobs jobs(wish, settle, scope.learn_parameters, job, std::max(global.threads, 1));
  JobRequest request;
  request.spec = SettleVerdictsSpec();
  request.plan = [&jobs](const JobEnvironment& environment, const Snapshot& base, Plan* plan) {
    return jobs.Plan(environment, base, plan);
  };
  request.apply = [&jobs](const Plan& plan, const JobOutput& output, Manifest* next) {
    return jobs.Apply(plan, output, next);
  };
  request.details = [&jobs](const JobEnvironment&, const Plan&, const JobResult& result) -> Result<Json> {
    return DetailsOf(jobs, result);
  };
  const Result<JobResult> ran = run(request);
  if (ran.ok() || !jobs.are_taken_up()) jobs.RemoveTemporary(store);
  ARROW_ASSIGN_OR_RAISE(const JobResult result, ran);
  jobs.RemoveReports(store);
  Settled settled = {.job = result.job,
                     .changed = result.changed,
                     .snapshot = result.snapshot,
                     .seconds = result.seconds,
                     .all = jobs.all()};
  settled.counters = jobs.CountersWith(result.output.counters);
  settled.pages = settled.counters.Get("pages");
  settled.exact = settled.counters.Get("exact");
  settled.near = settled.counters.Get("near");
  settled.cleared = settled.counters.Get("cleared");
  settled.bytes_saved = settled.counters.Get("bytes_saved");
  return settled;
}

}  // namespace trawl
