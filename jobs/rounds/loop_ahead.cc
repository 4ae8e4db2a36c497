// Members of CrawlLoop: rounds that overlap (--overlap). While a round is parsed, applied and settled, the next one is
// fetched.
//
// The next segment is made once a round is fetched. It has none of that round's domains, because an open segment holds
// its own until it is applied. So what a fetch has learned of its hosts is in the tables before another segment gets
// them. Two segments are open at most, and one fetch runs at a time. A command that is killed leaves both; the next one
// finishes them one after the other, the more advanced first.
//
// The steps have all threads and all of --memory: the tasks of a fetch mostly wait, and a fetch sorts nothing.
#include <algorithm>
#include <utility>

#include "jobs/fetch/fetch.h"
#include "jobs/generate/generate.h"
#include "jobs/rounds/loop.h"
#include "runtime/process/free_memory.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/snapshot.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// After a fetch of this time, URLs may be due that were not when its lists were made.
constexpr int64_t kLongFetchMs = 60'000;
// Making the lists of the next segment takes less than this.
constexpr int64_t kGenerateMs = 10 * 60'000;

// Whether the segment keeps its domains for so long that the next one surely has others.
bool HoldsOn(const Manifest& present, const std::string& segment, TimeMs now_ms) {
  return std::any_of(present.open_segments.begin(), present.open_segments.end(), [&](const OpenSegment& open) {
    return open.id == segment && open.until_ms > now_ms + kGenerateMs;
  });
}

}  // namespace

Status CrawlLoop::FinishOverlapping(std::string segment) {
  const int64_t began_ms = context_.process.clock.MonotonicMs();
  ARROW_RETURN_NOT_OK(Fetch(segment));
  more_may_be_due_ = more_may_be_due_ || context_.process.clock.MonotonicMs() - began_ms >= kLongFetchMs;
  while (true) {
    ARROW_RETURN_NOT_OK(context_.process.stop.Check());
    ARROW_ASSIGN_OR_RAISE(std::string next, GenerateNext(segment));
    if (next.empty()) break;
    ARROW_RETURN_NOT_OK(FinishBesideFetch(segment, next));
    segment = std::move(next);
  }
  ARROW_RETURN_NOT_OK(FinishFetched(segment));
  return Collect();
}

// Opens a segment beside the one that was fetched last. Empty where that one is to be finished alone: because it is the
// last round, because nothing else is due, because its time is nearly over, or because what came of it may end the crawl,
// which Run decides.
Result<std::string> CrawlLoop::GenerateNext(const std::string& fetched) {
  const bool is_last_round = rounds_ > 0 && begun_ >= rounds_;
  if (is_last_round || fetched_in_round_ == 0 || has_only_tries_ || !more_may_be_due_) return std::string();
  MoveClock();
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(crawl_.store()));
  if (!HoldsOn(present.manifest, fetched, context_.global.now_ms)) return std::string();
  const auto run = [this](const JobRequest& request) { return RunStep(request); };
  ARROW_ASSIGN_OR_RAISE(const GenerateOutcome outcome, GenerateSegment("", context_.global.threads, run));
  if (outcome.segment.empty()) return std::string();
  ++begun_;
  is_beside_another_ = true;
  has_only_tries_ = TriesOf(outcome) > 0;
  return outcome.segment;
}

Status CrawlLoop::FinishMeanwhile(const std::string& segment) {
  ARROW_RETURN_NOT_OK(FinishFetched(segment));
  return ReadStoredAgain().status();
}

// The live line is the fetch's, and then that of the steps which begin after its end.
void CrawlLoop::GiveLiveLine(const JobBeside* fetch) {
  beside_ = fetch;
  live_line_fd_ = std::exchange(context_.process.progress_fd, -1);
}

void CrawlLoop::TakeLiveLine() {
  beside_ = nullptr;
  context_.process.progress_fd = std::exchange(live_line_fd_, -1);
}

// Where finishing fails, the fetch ends as on a stop, and the next command goes on with both.
Status CrawlLoop::FinishBesideFetch(const std::string& segment, const std::string& next) {
  std::optional<FetchStats> counted;
  ARROW_ASSIGN_OR_RAISE(const std::optional<JobRequest> fetch, FetchOf(next, &counted));
  if (!fetch) return Status::Invalid("segment ", next, " was made just now and is fetched already");
  ARROW_ASSIGN_OR_RAISE(const auto beside, JobBeside::Begin(context_, &crawl_, *fetch));
  GiveLiveLine(beside.get());
  const Status finished = FinishMeanwhile(segment);
  if (!finished.ok()) {
    if (KindOf(finished) != StatusKind::kStopped) {
      Warn("the fetch of segment " + next +
           " is stopped, because the round before it failed; the next command goes on with it");
    }
    beside->Stop();
  }
  const Result<JobResult> fetched = beside->Wait();
  if (beside_ != nullptr) TakeLiveLine();
  GiveBackFreeMemory();
  ARROW_RETURN_NOT_OK(finished);
  ARROW_RETURN_NOT_OK(fetched.status());
  ++totals_.counters["crawl.overlapped"];
  CountStep(*fetch, *fetched);
  ARROW_RETURN_NOT_OK(NoteFetch(next, *fetched, std::move(counted)));
  more_may_be_due_ = true;  // the domains of the segment that is applied are free
  // It leaves everything as it is while a job runs; here none does.
  return Collect();
}

}  // namespace trawl
