#include "jobs/rounds/job_beside.h"

#include <utility>

namespace trawl {

using arrow::Result;

namespace {

ProcessContext WithStop(ProcessContext process, StopToken stop) {
  process.stop = std::move(stop);
  return process;
}

}  // namespace

Result<std::unique_ptr<JobBeside>> JobBeside::Begin(const VerbContext& context, Crawl* crawl, JobRequest request) {
  ARROW_ASSIGN_OR_RAISE(auto stop, LinkedStop::Make(context.process.stop));
  return std::unique_ptr<JobBeside>(new JobBeside(context, crawl, std::move(request), std::move(stop)));
}

JobBeside::JobBeside(const VerbContext& context, Crawl* crawl, JobRequest request, std::unique_ptr<LinkedStop> stop)
    : stop_(std::move(stop)),
      process_(WithStop(context.process, stop_->token())),
      context_{.process = process_,
               .verb_name = context.verb_name,
               .arguments = context.arguments,
               .options = context.options,
               .global = context.global},
      request_(std::move(request)) {
  thread_ = std::thread([this, crawl] {
    result_ = crawl->Run(context_, request_);
    has_ended_ = true;
  });
}

JobBeside::~JobBeside() {
  Stop();
  if (thread_.joinable()) thread_.join();
}

Result<JobResult> JobBeside::Wait() {
  thread_.join();
  return *std::move(result_);
}

}  // namespace trawl
