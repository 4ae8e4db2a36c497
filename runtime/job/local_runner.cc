#include "runtime/job/local_runner.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "runtime/process/free_memory.h"
#include "runtime/shuffle/shuffle.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Number of tasks that run at once where tasks mostly wait.
constexpr int kWaitingTasks = 64;

// Whether another attempt may help: not when the job was asked to stop.
bool MayRetry(const Status& status) { return !status.IsCancelled(); }

// Ends the tasks of one job: when it is asked to stop, and when one of them has failed for good.
class Cancellation {
 public:
  static Result<std::unique_ptr<Cancellation>> Make(StopToken outer) {
    ARROW_ASSIGN_OR_RAISE(StopSource source, StopSource::Make());
    return std::unique_ptr<Cancellation>(new Cancellation(std::move(outer), std::move(source)));
  }

  void Cancel() {
    flag_.store(true);
    source_.Stop();
  }
  void PassOnStop() {
    if (outer_.stopped()) Cancel();
  }
  // Returns why the job ended: a request to stop shows in its tasks as all kinds of cancelled work.
  Status Reason(const Status& failure) const { return outer_.stopped() ? outer_.Check() : failure; }

  StopToken token() const { return source_.token(); }
  const std::atomic<bool>* flag() const { return &flag_; }

 private:
  Cancellation(StopToken outer, StopSource source) : outer_(std::move(outer)), source_(std::move(source)) {}

  const StopToken outer_;
  const StopSource source_;
  std::atomic<bool> flag_{false};
};

// Runs tasks 0 … count-1 of one kind, several at once, each with a limited number of attempts. The calling thread shows
// progress meanwhile.
class TaskPool {
 public:
  using Attempt = std::function<Result<TaskReceipt>(int task, int attempt)>;

  using Failed = std::function<void(int task, int attempt, const Status& failure, bool is_tried_again)>;

  TaskPool(const LocalRunnerOptions& options, int threads, int count, Attempt attempt, Failed failed)
      : options_(options),
        threads_(threads),
        attempt_(std::move(attempt)),
        failed_(std::move(failed)),
        receipts_(static_cast<size_t>(count)) {}

  // Shows progress on the calling thread until all tasks are done, or one has failed for good.
  Status Run(Cancellation* cancel, const std::function<void(int done, int failed)>& progress) {
    const int workers = std::min<int>(threads_, static_cast<int>(receipts_.size()));
    std::vector<std::thread> threads;
    for (int i = 0; i < workers; ++i) {
      threads.emplace_back([this, cancel] { Work(cancel); });
    }
    {
      std::unique_lock<std::mutex> lock(mutex_);
      while (finished_workers_ < workers) {
        cancel->PassOnStop();
        changed_.wait_for(lock, std::chrono::milliseconds(100));
        progress(done_, failed_attempts_);
      }
    }
    for (std::thread& thread : threads) thread.join();
    return failure_.ok() ? failure_ : cancel->Reason(failure_);
  }

  std::vector<TaskReceipt> TakeReceipts() { return std::move(receipts_); }
  int failed_attempts() const { return failed_attempts_; }

 private:
  void Work(Cancellation* cancel) {
    std::unique_lock<std::mutex> lock(mutex_);
    while (failure_.ok() && next_ < static_cast<int>(receipts_.size())) {
      const int task = next_++;
      lock.unlock();
      RunTask(task, cancel);
      // What a task's writers and readers have freed lies in pieces: the next one's would come on top of it.
      GiveBackFreeMemory();
      lock.lock();
    }
    ++finished_workers_;
    changed_.notify_all();
  }

  void RunTask(int task, Cancellation* cancel) {
    for (int attempt = 0;; ++attempt) {
      Result<TaskReceipt> receipt = attempt_(task, attempt);
      const std::lock_guard<std::mutex> lock(mutex_);
      changed_.notify_all();
      if (receipt.ok()) {
        receipts_[static_cast<size_t>(task)] = std::move(*receipt);
        ++done_;
        return;
      }
      ++failed_attempts_;
      const bool is_tried_again = attempt + 1 < options_.attempts && MayRetry(receipt.status()) && failure_.ok();
      failed_(task, attempt, receipt.status(), is_tried_again);
      if (is_tried_again) continue;
      // The first task that fails gives the reason; the others are cancelled because of it.
      if (failure_.ok()) failure_ = receipt.status();
      cancel->Cancel();
      return;
    }
  }

  const LocalRunnerOptions& options_;
  const int threads_;
  const Attempt attempt_;
  const Failed failed_;

  std::mutex mutex_;  // guards the members after it
  std::condition_variable changed_;
  std::vector<TaskReceipt> receipts_;
  Status failure_;
  int next_ = 0;
  int done_ = 0;
  int failed_attempts_ = 0;
  int finished_workers_ = 0;
};

}  // namespace

void LocalRunner::Place(bool, Plan* plan) {
  plan->runner = kLocalRunner;
  plan->runner_reason = options_.reason;
  plan->outlives_driver = false;
}

Result<std::vector<TaskReceipt>> LocalRunner::Run(const JobSpec& spec, const JobInputs& inputs,
                                                  const std::function<void(const RunnerProgress&)>& progress) {
  const Plan& plan = *inputs.plan;
  const int maps = static_cast<int>(plan.parts.size());
  RunnerProgress now = {.maps = maps, .reduces = plan.partitions};
  ARROW_ASSIGN_OR_RAISE(const auto cancel, Cancellation::Make(inputs.stop));
  JobInputs task_inputs = inputs;
  task_inputs.stop = cancel->token();
  std::atomic<int64_t> rows_written{0};
  task_inputs.rows_written = &rows_written;
  NoRecordSink no_sink;
  const int map_threads = spec.mostly_waits ? std::max(options_.threads, kWaitingTasks) : options_.threads;
  std::optional<ReturnFreedBlocks> many_tasks;
  if (spec.mostly_waits) many_tasks.emplace();

  std::unique_ptr<Shuffle> shuffle;
  if (plan.partitions > 0) {
    ShuffleOptions shuffle_options;
    shuffle_options.shape = {.partitions = plan.partitions,
                             .map_slots = std::max(1, std::min(map_threads, maps)),
                             .reduce_slots = std::max(1, std::min(options_.threads, plan.partitions))};
    shuffle_options.memory_bytes = options_.memory_bytes;
    shuffle_options.temp_folder = options_.temp_folder;
    shuffle_options.stop = cancel->flag();
    shuffle_options.combiner = spec.combiner;
    ARROW_ASSIGN_OR_RAISE(shuffle, Shuffle::Make(shuffle_options));
  }

  const auto say_failed = [&inputs](bool is_reduce) {
    return [&inputs, is_reduce](int task, int attempt, const Status& failure, bool is_tried_again) {
      // The attempts that end because the job does are no failures of theirs.
      if (!inputs.failed || failure.IsCancelled()) return;
      inputs.failed({.is_reduce = is_reduce, .number = task, .attempt = attempt}, failure, is_tried_again);
    };
  };
  const auto map = [&](int part, int attempt) -> Result<TaskReceipt> {
    if (shuffle == nullptr) return RunMapTask(spec, task_inputs, part, attempt, &no_sink);
    ARROW_ASSIGN_OR_RAISE(const auto output, shuffle->StartMap());
    ARROW_ASSIGN_OR_RAISE(TaskReceipt receipt, RunMapTask(spec, task_inputs, part, attempt, output.get()));
    ARROW_RETURN_NOT_OK(output->Commit());
    return receipt;
  };
  TaskPool map_pool(options_, map_threads, maps, map, say_failed(/*is_reduce=*/false));
  ARROW_RETURN_NOT_OK(map_pool.Run(cancel.get(), [&](int done, int failed) {
    now.maps_done = done;
    now.rows = rows_written;
    now.failed_attempts = failed;
    progress(now);
  }));
  std::vector<TaskReceipt> receipts = map_pool.TakeReceipts();
  if (shuffle == nullptr) return receipts;

  ARROW_RETURN_NOT_OK(shuffle->Seal());
  const int failed_maps = map_pool.failed_attempts();
  const auto reduce = [&](int partition, int attempt) -> Result<TaskReceipt> {
    ARROW_ASSIGN_OR_RAISE(const auto groups, shuffle->OpenPartition(partition));
    return RunReduceTask(spec, task_inputs, partition, attempt, groups.get());
  };
  TaskPool reduce_pool(options_, options_.threads, plan.partitions, reduce, say_failed(/*is_reduce=*/true));
  ARROW_RETURN_NOT_OK(reduce_pool.Run(cancel.get(), [&](int done, int failed) {
    now.reduces_done = done;
    now.rows = rows_written;
    now.failed_attempts = failed_maps + failed;
    progress(now);
  }));
  for (TaskReceipt& receipt : reduce_pool.TakeReceipts()) receipts.push_back(std::move(receipt));
  return receipts;
}

}  // namespace trawl
