#include "jobs/verb/crawl.h"

#include <algorithm>
#include <mutex>

#include "jobs/verb/job_options.h"
#include "jobs/verb/job_runner.h"
#include "jobs/verb/live_file.h"
#include "jobs/verb/live_gauges.h"
#include "jobs/verb/version.h"
#include "runtime/job/plan.h"
#include "runtime/process/status_detail.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

std::string Readable(const RunnerProgress& progress) {
  std::string text = "map " + std::to_string(progress.maps_done) + "/" + std::to_string(progress.maps);
  if (progress.reduces > 0) {
    text += ", reduce " + std::to_string(progress.reduces_done) + "/" + std::to_string(progress.reduces);
  }
  if (progress.rows > 0) text += ", " + ReadableCount(progress.rows, "row");
  if (progress.failed_attempts > 0) text += ", " + ReadableCount(progress.failed_attempts, "attempt") + " failed";
  return text;
}

// The Unicode version by which ada maps the host names in keys.
constexpr char kUnicodeOfUrls[] = "17.0";

}  // namespace

const OptionGroup<NewCrawlOptions>& NewCrawlOptionGroup() {
  static const auto group =
      OptionGroup<NewCrawlOptions>("crawl", "Fixed when the crawl is made")
          .Choice("url_policy", &NewCrawlOptions::normal_form,
                  "which spellings of a URL count as one page; cannot be changed later",
                  {{"strict", NormalForm::kStrict}, {"standard", NormalForm::kStandard}, {"fold", NormalForm::kFold}});
  return group;
}

Status Crawl::Start(VerbContext& context, int64_t number) {
  ARROW_ASSIGN_OR_RAISE(snapshot_, ReadSnapshot(store_.get(), number));
  ARROW_RETURN_NOT_OK(context.UseSettings(snapshot_.manifest.settings,
                                          "settings of snapshot " + std::to_string(snapshot_.manifest.number)));
  ARROW_RETURN_NOT_OK(ResolveRunner(context));
  Result<NormalForm> policy = NormalFormOf(snapshot_.manifest.normal_form);
  if (!policy.ok()) {
    return Status::IOError("URL policy '", snapshot_.manifest.normal_form,
                           "' of this crawl is unknown; use a newer trawl");
  }
  normal_form_ = *policy;
  return Status::OK();
}

Result<std::unique_ptr<Store>> OpenRoot(const VerbContext& context) {
  return OpenStore(context.global.root, {.libhdfs = context.global.libhdfs});
}

Result<std::unique_ptr<Crawl>> Crawl::Open(VerbContext& context) {
  std::unique_ptr<Crawl> crawl(new Crawl());
  ARROW_ASSIGN_OR_RAISE(crawl->store_, OpenRoot(context));
  ARROW_RETURN_NOT_OK(crawl->Start(context, -1));
  return crawl;
}

Result<std::unique_ptr<Crawl>> Crawl::OpenAt(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const ReadingOptions reading, context.Read(ReadingOptionGroup()));
  std::unique_ptr<Crawl> crawl(new Crawl());
  ARROW_ASSIGN_OR_RAISE(crawl->store_, OpenRoot(context));
  ARROW_RETURN_NOT_OK(crawl->Start(context, reading.snapshot));
  return crawl;
}

Result<std::unique_ptr<Crawl>> Crawl::OpenOrCreate(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const NewCrawlOptions constants, context.Read(NewCrawlOptionGroup()));
  std::unique_ptr<Crawl> crawl(new Crawl());
  ARROW_ASSIGN_OR_RAISE(crawl->store_, OpenRoot(context));
  Manifest first;
  first.normal_form = NameOf(constants.normal_form);
  first.unicode = kUnicodeOfUrls;
  first.published_ms = context.global.now_ms;
  ARROW_RETURN_NOT_OK(CreateCrawl(crawl->store_.get(), first).status());
  ARROW_RETURN_NOT_OK(crawl->Start(context, -1));
  ARROW_RETURN_NOT_OK(crawl->CheckConstants(context));
  return crawl;
}

Status Crawl::CheckConstants(const VerbContext& context) const {
  ARROW_ASSIGN_OR_RAISE(const NewCrawlOptions constants, context.Read(NewCrawlOptionGroup()));
  const bool asked = context.options.SourceOf("crawl.url_policy") != OptionSource::kDefault;
  if (!asked || normal_form_ == constants.normal_form) return Status::OK();
  return UsageError("this crawl was made with --url_policy ", NameOf(normal_form_),
                    ", which cannot be changed; leave the option out, or start another crawl with --root");
}

Result<JobResult> Crawl::Run(VerbContext& context, const JobRequest& request) {
  JobResult result;
  ARROW_RETURN_NOT_OK(RunWith(context, [&](const JobEnvironment& environment) -> Status {
    ARROW_ASSIGN_OR_RAISE(result, RunJob(environment, request));
    return Status::OK();
  }));
  return result;
}

Status Crawl::RunWith(VerbContext& context, const std::function<Status(const JobEnvironment& environment)>& work,
                      bool here) {
  ARROW_ASSIGN_OR_RAISE(JobOptions job, context.Read(JobOptionGroup()));
  if (here) job.runner = RunnerKind::kLocal;
  ARROW_ASSIGN_OR_RAISE(const auto runner, MakeRunner(context, job, store_.get()));
  JobEnvironment environment = EnvironmentOf(context);
  environment.runner = runner.get();
  std::mutex mutex;
  RunnerProgress now;
  environment.progress = [&mutex, &now](const std::string&, const RunnerProgress& progress) {
    const std::lock_guard<std::mutex> lock(mutex);
    now = progress;
  };
  // Some tasks say more about themselves than their number of rows.
  LiveGauges gauges(context.process.clock);
  environment.show = [&gauges](const TaskId& task, const Json& shows) { gauges.Take(task.Name(), shows); };
  const auto numbers_line = [&mutex, &now, &gauges] {
    const std::string shown = gauges.Line();
    if (!shown.empty()) return shown;
    const std::lock_guard<std::mutex> lock(mutex);
    return Readable(now);
  };
  std::string place;  // where the job runs and why, where the runner chooses
  const auto shown = context.ShowProgress([&mutex, &place, &numbers_line] {
    const std::string line = numbers_line();
    const std::lock_guard<std::mutex> lock(mutex);
    return place + line;
  });
  const bool chooses = job.runner == RunnerKind::kAuto;
  environment.began = [&](const Plan& plan) -> std::shared_ptr<void> {
    if (chooses) {
      const std::lock_guard<std::mutex> lock(mutex);
      place = plan.verb + (plan.is_on_cluster() ? " on the cluster" : " here") + " (" + plan.runner_reason + "): ";
    }
    // YARN tells about the jobs of a cluster.
    if (plan.is_on_cluster()) return nullptr;
    const auto numbers = [&mutex, &now, &gauges, &numbers_line]() -> Json {
      Json json = {{"gauges", gauges.Numbers()}, {"text", numbers_line()}};
      const std::lock_guard<std::mutex> lock(mutex);
      json["maps"] = {now.maps_done, now.maps};
      json["reduces"] = {now.reduces_done, now.reduces};
      json["rows"] = now.rows;
      return json;
    };
    return std::make_shared<LiveFile>(store_.get(), context.process.clock, plan.job, numbers);
  };
  return work(environment);
}

Result<JobResult> Crawl::Change(VerbContext& context, const std::string& verb,
                                const std::function<Result<bool>(Manifest* next)>& change) {
  return PublishChange(EnvironmentOf(context), verb, change);
}

JobEnvironment Crawl::EnvironmentOf(VerbContext& context) const {
  JobEnvironment environment;
  environment.store = store_.get();
  environment.clock = &context.process.clock;
  environment.stop = context.process.stop;
  environment.now_ms = context.global.now_ms;
  environment.version = kVersion;
  environment.options = context.options.texts();
  if (EventLog* const log = context.process.log) {
    environment.log = [log](LogLevel level, const std::string& event, const Json& fields) {
      log->Write(level, event, fields);
    };
  }
  return environment;
}

}  // namespace trawl
