#include "jobs/fetch/task.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "formats/url/key.h"
#include "jobs/fetch/identity.h"
#include "jobs/sums/asked.h"
#include "jobs/sums/guessed_sitemap.h"
#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int kLongestWaitMs = 200;
constexpr int64_t kShowEveryMs = 500;
// Requests in flight when the task stops get this long to finish.
constexpr int64_t kDrainMs = 2'000;

// Texts of robots.txt files that may wait for the end of a part.
constexpr int64_t kMostRobotsBytesAPart = int64_t{32} << 20;
// A host's request for longer delays is written out within this time, so that a successor attempt knows of it. Parts
// are files, so a task that has closed kQuickUrgentParts for this reason waits longer.
constexpr int64_t kUrgentPartMs = 250;
constexpr int kQuickUrgentParts = 100;
constexpr int64_t kLateUrgentPartMs = 5'000;
// Names that are looked up at once.
constexpr int kMostResolving = 512;

// The prefix of the task's files. It is unique even where a runner gives one attempt's number twice.
std::string FilePrefix(const TaskContext& context, const AttemptChain& chain) {
  return context.plan().job + "-" + context.id().Name() + "-" + std::to_string(chain.begun_at());
}

bool IsError(const FetchRow& row) {
  const std::string outcome = TextOf(row.outcome);
  return IsRequest(outcome) && !IsSuccess(outcome) && !IsNoSitemap(row);
}

}  // namespace

FetchTask::FetchTask(TaskContext& context, const FetchTaskSettings& settings, FetchState& state, AttemptChain& chain)
    : context_(context), settings_(settings), state_(state), chain_(chain) {}

FetchTask::~FetchTask() = default;

Result<std::unique_ptr<FetchTask>> FetchTask::Make(TaskContext& context, const FetchTaskSettings& settings,
                                                   const CrawlScope& scope, FetchState& state, AttemptChain& chain) {
  std::unique_ptr<FetchTask> task(new FetchTask(context, settings, state, chain));
  ARROW_ASSIGN_OR_RAISE(HttpClientOptions client, ClientOptionsOf(settings.options, settings.tasks));
  client.may_ask = [&clock = context.clock(), &chain] { return clock.MonotonicMs() < chain.AsksUntilMs(); };
  FetchTask* const self = task.get();
  // Requests already in flight could bring far more than the disk takes.
  client.is_behind = [self] { return self->parts_ != nullptr && self->parts_->IsBehind(); };
  ARROW_ASSIGN_OR_RAISE(task->client_, HttpClient::Make(client, context.clock()));
  task->parts_ =
      std::make_unique<FetchPartWriter>(context.store(), settings.segment, FilePrefix(context, chain), &chain,
                                        settings.bodies, settings.tasks, [self] { self->client_->Wake(); });
  task->asker_ =
      std::make_unique<Asker>(AskerParts{.state = state,
                                         .client = *task->client_,
                                         .turns = *settings.turns,
                                         .scope = scope,
                                         .counters = task->part_counters_,
                                         .form = settings.form,
                                         .tasks = settings.tasks,
                                         .write = [self](FetchedPage page) { self->Write(std::move(page)); }});
  return task;
}

void FetchTask::Write(FetchedPage page) {
  constexpr int64_t kRowBytes = 1'000;
  if (page.fetch.outcome == Outcome::kFetched) ++gauges_.pages;
  if (IsError(page.fetch)) ++gauges_.errors;
  gauges_.bytes += page.fetch.bytes;
  part_bytes_ += page.fetch.bytes + kRowBytes;
  part_has_rows_ = true;
  parts_->Add(std::move(page));
}

// -- the loop ---------------------------------------------------------------------------------------------------------

Status FetchTask::Run() {
  part_began_ms_ = began_ms_ = MonotonicMs();
  const Status status = Loop();
  const bool stopped = KindOf(status) == StatusKind::kStopped;
  if (!status.ok() && !stopped) {
    client_->CancelAll();
    return status;
  }
  if (stopped) ARROW_RETURN_NOT_OK(Drain());
  if (!stopped) {
    // Only the attempt that ends the list counts these: it has met again what attempts before gave back.
    part_counters_["not_reached"] += state_.frontier().urls_left();
    part_counters_["given_back"] += state_.given_back();
    context_.facts()["politeness"] = asker_->audit().ToJson(kMostDotsOfTask);
  }
  ClosePart();
  ARROW_RETURN_NOT_OK(parts_->Finish());
  ShowGauges(true);
  ARROW_RETURN_NOT_OK(chain_.End(/*done=*/!stopped));
  return status;
}

Status FetchTask::Loop() {
  while (true) {
    ARROW_RETURN_NOT_OK(context_.CheckStop());
    ARROW_RETURN_NOT_OK(parts_->status());
    if (chain_.lost()) return Status::IOError("another attempt has taken over list ", settings_.list);
    if (MonotonicMs() >= chain_.AsksUntilMs()) {
      return Status::IOError("list ", settings_.list, ": the store took no sign of life for ", chain_.lease_ms(),
                             " ms");
    }
    ARROW_RETURN_NOT_OK(AskWhatMayBeAsked());
    LeaveLongRetries(NowMs());
    if (IsOver(NowMs())) return Status::OK();
    ARROW_RETURN_NOT_OK(Wait());
    ClosePartIfDue();
    ShowGauges(false);
  }
}

// Lets the requests in flight finish and begins none.
Status FetchTask::Drain() {
  const int64_t until_ms = MonotonicMs() + kDrainMs;
  while (asker_->under_way() > 0 && MonotonicMs() < until_ms) ARROW_RETURN_NOT_OK(Wait());
  client_->CancelAll();
  while (asker_->under_way() > 0) ARROW_RETURN_NOT_OK(Wait());
  return Status::OK();
}

// A round does not wait for retries alone. It waits for them --fetch.idle_wait, or a tenth of the time that it has taken
// so far, if that is more.
void FetchTask::LeaveLongRetries(int64_t now_ms) {
  constexpr int64_t kShareOfRound = 10;
  if (state_.frontier().hosts_busy() > 0 || !state_.HasOnlyRetries()) return;
  const int64_t patience_ms =
      std::max<int64_t>(settings_.options.idle_wait_ms, (MonotonicMs() - began_ms_) / kShareOfRound);
  if (state_.frontier().NextMs() - now_ms > patience_ms) part_counters_["retries_left"] += state_.LeaveRetries();
}

bool FetchTask::IsOver(int64_t now_ms) const {
  if (state_.frontier().hosts_busy() > 0) return false;
  if (state_.frontier().urls_left() == 0) return true;
  return now_ms >= settings_.until_ms || state_.frontier().NextMs() >= settings_.until_ms;
}

// A request that begins now ends within the lease, whatever happens to this process.
bool FetchTask::MayBegin(int64_t now_ms) const {
  return now_ms < settings_.until_ms && MonotonicMs() + settings_.options.timeout_ms < chain_.AsksUntilMs() &&
         !parts_->IsBehind() && asker_->resolving() < kMostResolving &&
         asker_->under_way() < static_cast<size_t>(settings_.options.connections);
}

Status FetchTask::AskWhatMayBeAsked() {
  while (true) {
    const int64_t now_ms = NowMs();
    if (!MayBegin(now_ms)) return Status::OK();
    const std::optional<HostNumber> host = state_.frontier().Take(now_ms);
    if (!host) return Status::OK();
    ARROW_RETURN_NOT_OK(asker_->Serve(*host, now_ms));
  }
}

Status FetchTask::Wait() {
  const int64_t now_ms = NowMs();
  int64_t wait_ms = kLongestWaitMs;
  if (MayBegin(now_ms)) wait_ms = std::clamp<int64_t>(state_.frontier().NextMs() - now_ms, 0, kLongestWaitMs);
  answers_.clear();
  client_->Poll(static_cast<int>(wait_ms), &answers_);
  // Delays run from here, when all these answers have surely ended.
  const int64_t ended_ms = NowMs();
  for (HttpAnswer& answer : answers_) ARROW_RETURN_NOT_OK(asker_->TakeAnswer(std::move(answer), ended_ms));
  return Status::OK();
}

// -- parts ------------------------------------------------------------------------------------------------------------

void FetchTask::ClosePartIfDue() {
  const int64_t urgent_ms = urgent_parts_ < kQuickUrgentParts ? kUrgentPartMs : kLateUrgentPartMs;
  const int64_t usual_ms = settings_.options.part_ms;
  const int64_t part_ms = state_.has_urgent_news() ? std::min(urgent_ms, usual_ms) : usual_ms;
  const bool is_due = part_bytes_ >= settings_.options.part_bytes ||
                      state_.gate().changed_bytes() >= kMostRobotsBytesAPart ||
                      MonotonicMs() - part_began_ms_ >= part_ms;
  if (is_due) ClosePart();
}

void FetchTask::ClosePart() {
  part_began_ms_ = MonotonicMs();
  PartEnd end;
  urgent_parts_ += state_.has_urgent_news() ? 1 : 0;
  end.hosts = state_.TakeLearned();
  end.robots = state_.gate().TakeChanged();
  if (!part_has_rows_ && end.hosts.empty() && end.robots.empty() && part_counters_.counts().empty()) return;
  end.counters = ToJson(part_counters_);
  part_counters_ = Counters();
  part_has_rows_ = false;
  part_bytes_ = 0;
  parts_->ClosePart(std::move(end));
}

// The share of the time since the last call that this thread has computed.
int64_t FetchTask::ThreadBusyPercent() {
  timespec used = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  const int64_t used_ms = int64_t{used.tv_sec} * 1000 + used.tv_nsec / 1'000'000;
  const int64_t now_ms = MonotonicMs();
  const int64_t passed_ms = std::max<int64_t>(now_ms - busy_since_ms_, 1);
  const int64_t percent = 100 * (used_ms - busy_used_ms_) / passed_ms;
  busy_since_ms_ = now_ms;
  busy_used_ms_ = used_ms;
  return percent;
}

void FetchTask::ShowGauges(bool at_once) {
  if (!at_once && MonotonicMs() - shown_ms_ < kShowEveryMs) return;
  shown_ms_ = MonotonicMs();
  const FetchFrontier& frontier = state_.frontier();
  gauges_.left = frontier.urls_left() + static_cast<int64_t>(asker_->under_way());
  gauges_.settled = std::max<int64_t>(state_.list().size() - gauges_.left, 0);
  gauges_.hosts_active = frontier.hosts_busy();
  gauges_.wait_for_delay = frontier.hosts_waiting();
  gauges_.next_ms = gauges_.wait_for_delay > 0 ? std::max<int64_t>(frontier.NextMs() - NowMs(), 0) : 0;
  gauges_.wait_for_names = asker_->resolving();
  gauges_.wait_for_servers = asker_->SlowRequests(NowMs());
  gauges_.waits_for_disk = parts_->IsBehind();
  gauges_.busy_percent = ThreadBusyPercent();
  Json shown = ToJson(gauges_);
  context_.Show(shown);
  chain_.Show(std::move(shown));
}

}  // namespace trawl
