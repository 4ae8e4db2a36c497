// trawl jobs: lists every job that ever ran on the crawl, and asks YARN about those that run on a cluster. trawl jobs
// kill ends one.
#include <algorithm>
#include <optional>

#include "jobs/list/listing.h"
#include "jobs/operate/job_record.h"
#include "jobs/operate/past_jobs.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/list_options.h"
#include "runtime/process/status_detail.h"
#include "runtime/streaming/options.h"
#include "runtime/streaming/yarn.h"
#include "runtime/terminal/text.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

std::string TasksText(const Json& job) {
  std::string text;
  for (const char* kind : {"maps", "reduces"}) {
    if (HasMember(job, kind))
      text += std::string("  ") + kind + " " + DumpJson(job[kind][0]) + "/" + DumpJson(job[kind][1]);
  }
  return text;
}

// In a few words: what came of it, or how far it is.
std::string BriefOf(const Json& job) {
  if (HasMember(job, "reason")) return job["reason"].get<std::string>();
  if (HasMember(job, "application")) return job["application"].get<std::string>() + TasksText(job);
  if (HasMember(job, "live")) return GetString(job["live"], "text").ValueOr("");
  if (job["state"] == "stopped") return "the same command goes on";
  // An export never changes the crawl, and says nothing by that.
  if (GetString(job, "verb").ValueOr("").starts_with("export")) return "";
  if (HasMember(job, "changed")) return job["changed"].get<bool>() ? "" : "changed nothing";
  return "";
}

ListShape JobsShape() {
  ListShape shape;
  shape.columns = {{.member = "job", .is_whole = true},
                   {.member = "state"},
                   {.member = "runner", .is_whole = true},
                   {.member = "took",
                    .kind = CellKind::kDuration,
                    .value =
                        [](const Json& job) {
                          return HasMember(job, "seconds") ? Json(job["seconds"].get<double>() * 1000) : Json();
                        }},
                   // The snapshot that it published; one that it only read says nothing about the crawl.
                   {.member = "snapshot",
                    .kind = CellKind::kCount,
                    .value =
                        [](const Json& job) {
                          const bool has_published = HasMember(job, "changed") && job["changed"] == true;
                          return has_published ? job["snapshot"] : Json();
                        }},
                   {.member = "about", .gives_way = true, .value = [](const Json& job) { return BriefOf(job); }}};
  shape.empty = {{"job", ""},    {"state", ""},   {"runner", ""},      {"runner_reason", ""},
                 {"verb", ""},   {"snapshot", 0}, {"now_ms", 0},       {"changed", false},
                 {"seconds", 0}, {"reason", ""},  {"application", ""}, {"counters", {}}};
  return shape;
}

// A job with all that is known, a line for each thing.
std::string JobText(const Json& job) {
  std::string text = PadRight("job", 12) + job["job"].get<std::string>() + "\n";
  const auto line = [&text](const std::string& name, const std::string& value) {
    if (!value.empty()) text += PadRight(name, 12) + value + "\n";
  };
  line("state", job["state"].get<std::string>());
  const std::string why = GetString(job, "runner_reason").ValueOr("");
  line("runner", job["runner"].get<std::string>() + (why.empty() ? "" : ": " + why));
  if (HasMember(job, "seconds")) {
    line("took", ReadableDuration(static_cast<int64_t>(job["seconds"].get<double>() * 1000)));
  }
  const bool has_published = HasMember(job, "changed") && job["changed"] == true;
  if (has_published) line("snapshot", DumpJson(job["snapshot"]));
  line(HasMember(job, "reason") ? "reason" : HasMember(job, "live") ? "now" : "about", BriefOf(job));
  if (HasMember(job, "live_age_ms")) line("", "as of " + ReadableDuration(job["live_age_ms"].get<int64_t>()) + " ago");
  if (!HasMember(job, "counters")) return text;
  size_t longest = 10;
  for (const auto& [name, count] : job["counters"].items()) longest = std::max(longest, name.size());
  for (const auto& [name, count] : job["counters"].items()) {
    text += "  " + PadRight(name, longest + 2) +
            (count.is_number_integer() ? ReadableCount(count.get<int64_t>()) : DumpJson(count)) + "\n";
  }
  return text;
}

struct JobsOptions {
  bool counters = false;
};

const OptionGroup<JobsOptions>& JobsOptionGroup() {
  static const auto group =
      OptionGroup<JobsOptions>("jobs", "What is told of each job")
          .Bool("counters", &JobsOptions::counters, "print the counters of each job, too; JSON always has them")
          .Main();
  return group;
}

Result<int> RunJobs(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const ListOptions options, context.Read(ListOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const JobsOptions told, context.Read(JobsOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const ListFormat format, FormatOf(context));
  const auto limit = static_cast<size_t>(options.limit);
  ARROW_ASSIGN_OR_RAISE(const std::vector<JobRecord> jobs, ReadJobs(crawl->store(), crawl->manifest(), limit));
  const size_t first = limit > 0 && jobs.size() > limit ? jobs.size() - limit : 0;
  const bool as_text = told.counters && format == ListFormat::kTable;
  Listing listing(context, format, JobsShape());
  JobLister lister;
  for (size_t i = first; i < jobs.size(); ++i) {
    const Json json = lister.Listed(jobs[i]);
    ARROW_RETURN_NOT_OK(as_text ? context.Answer(json, JobText(json) + "\n") : listing.Add(json));
  }
  if (!as_text) ARROW_RETURN_NOT_OK(listing.Finish());
  return kExitDone;
}

// The job that the verb's argument names.
Result<JobRecord> NamedJob(VerbContext& context, const Crawl& crawl) {
  const std::string& id = context.arguments.front();
  if (!IsValidId(id)) return UsageError("'", id.substr(0, 80), "' is not the id of a job; trawl jobs shows the jobs");
  ARROW_ASSIGN_OR_RAISE(std::optional<JobRecord> job, FindJob(crawl.store(), crawl.manifest(), id));
  if (!job) return UsageError("there is no job ", id, "; trawl jobs shows the jobs");
  return std::move(*job);
}

Result<int> RunJobsStatus(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const StreamingOptions streaming, context.Read(StreamingOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const JobRecord job, NamedJob(context, *crawl));
  ARROW_ASSIGN_OR_RAISE(const Json json,
                        JobStatusJson(crawl->store(), job, streaming.resource_manager, context.process.clock));
  ARROW_RETURN_NOT_OK(context.Answer(json, JobText(json)));
  return kExitDone;
}

Result<int> RunJobsKill(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const StreamingOptions streaming, context.Read(StreamingOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const JobRecord job, NamedJob(context, *crawl));
  if (!job.is_on_cluster()) return UsageError(job.id, " does not run on a cluster; stop its process instead");
  ARROW_ASSIGN_OR_RAISE(const auto killed, KillOnCluster(job, streaming.resource_manager, "trawl jobs kill"));
  const std::string text = killed ? "killed " + *killed + "\n" : job.id + " is not running\n";
  ARROW_RETURN_NOT_OK(context.Conclude({{"job", job.id}, {"changed", killed.has_value()}}, text, ""));
  return kExitDone;
}

}  // namespace

std::vector<Verb> JobsVerbs() {
  return {
      {.name = "jobs",
       .summary = "list the jobs that ran on the crawl, oldest first",
       .purpose = VerbPurpose::kDiagnose,
       .description =
           "A job is done, is running, was stopped by a signal, or has failed: its process was killed or ended "
           "with an error. The same command runs it again, or takes up what runs on a cluster. A job that "
           "another job overtook was done again, under the next id. A crawl stands after its jobs.",
       .examples = {{"The newest twenty", "trawl jobs"},
                    {"All, for a program", "trawl jobs --limit 0 --json"},
                    {"The last one, with its counters", "trawl jobs --limit 1 --counters"}},
       .groups = {&JobsOptionGroup(), &ListOptionGroup(), &FormatOptionGroup()},
       .run = RunJobs},
      {.name = "jobs status",
       .summary = "show how far a job is, here or on a cluster",
       .purpose = VerbPurpose::kDiagnose,
       .arguments = "JOB",
       .least_arguments = 1,
       .most_arguments = 1,
       .description =
           "Prints the report of the job. While it runs here, it prints the pages, the rate and what hosts wait for, "
           "as of a "
           "few seconds ago; of a job on a cluster, what YARN says: how many tasks are done, and why it failed.",
       .examples = {{"One job", "trawl jobs status 20260101T000000Z-inject-5f3a9c01 --root hdfs://nameservice/crawl"},
                    {"For a program", "trawl jobs status 20260101T000000Z-inject-5f3a9c01 --json"}},
       .groups = {&StreamingOptionGroup()},
       .run = RunJobsStatus},
      {.name = "jobs kill",
       .summary = "stop a job that runs on a cluster",
       .purpose = VerbPurpose::kDiagnose,
       .arguments = "JOB",
       .least_arguments = 1,
       .most_arguments = 1,
       .description = "The crawl stays as it was before the job. Pages that a fetch has already saved are kept, and "
                      "the next fetch of the segment continues after them.",
       .examples = {{"One job", "trawl jobs kill 20260101T000000Z-fetch-5f3a9c01 --root hdfs://nameservice/crawl"},
                    {"List the jobs first", "trawl jobs --root hdfs://nameservice/crawl"}},
       .groups = {&StreamingOptionGroup()},
       .run = RunJobsKill}};
}

}  // namespace trawl
