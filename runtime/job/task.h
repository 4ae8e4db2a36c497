// For the authors of jobs: a JobSpec of a map and a reduce function, and the context that one task gets. Runners use
// run_task.h.
//
// Output goes into files whose names carry task and attempt, so a failed attempt leaves only files that nobody names.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/manifest.h"
#include "formats/documents/receipt.h"
#include "formats/url/key.h"
#include "runtime/job/counters.h"
#include "runtime/job/plan.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"
#include "runtime/root/snapshot.h"
#include "runtime/shuffle/combiner.h"
#include "runtime/shuffle/record_stream.h"
#include "runtime/store/store.h"
#include "runtime/tables/run_writer.h"

namespace trawl {

struct JobInputs;
struct TaskReceipt;

struct TaskId {
  bool is_reduce = false;
  int number = 0;
  int attempt = 0;
  // "r3-0": unique among all attempts of a job.
  std::string Name() const;
};

// Gives a task its inputs and takes its output and reports. One thread.
class TaskContext {
 public:
  // For runners. `inputs` outlives the context.
  TaskContext(const JobInputs& inputs, TaskId id, SlotRange slots);
  ~TaskContext();

  Store* store() const;
  const Plan& plan() const;
  const Manifest& snapshot() const;
  const TaskId& id() const;
  // The slots whose rows this task writes.
  const SlotRange& slots() const;
  // The job's options of this group.
  template <typename Group>
  auto Read(const Group& group) const {
    return group.Read(plan().options);
  }

  Counters& counters();
  Samples& samples();
  // Further facts that the task reports to the process that planned the job.
  Json& facts();

  // Fails once the job is asked to stop; call it between pieces of work.
  arrow::Status CheckStop() const { return stop().Check(); }
  const StopToken& stop() const;

  // Time, for the tasks that may know it (only fetch): the plan's now plus the time since the plan was made.
  const Clock& clock() const;
  TimeMs NowMs() const { return now_offset_ms_ + clock().MonotonicMs(); }
  // Shows numbers of a long task to its observers.
  void Show(const Json& gauges) const;

  // Returns the writer of this task's part of the job's run of Row's table. Lives as long as the task; its files end
  // with the task.
  template <typename Row>
  RunWriter<Row>* OpenRun(RowFileOptions options = {}) {
    options.slots = slots();
    return Keep<Row>(RunFolder(Row::kTable, plan().job), id().Name(), options, [this](std::vector<FileReceipt> files) {
      SetRunFiles(Row::kTable, Row::kVersion, std::move(files));
    });
  }

  // The same for a dataset of the plan's segment.
  template <typename Row>
  RunWriter<Row>* OpenDataset(const std::string& dataset, RowFileOptions options = {}) {
    options.slots = {};
    return Keep<Row>(
        DatasetFolder(plan().segment(), dataset), plan().job + "-" + id().Name(), options,
        [this, dataset](std::vector<FileReceipt> files) { AddDatasetFiles(dataset, Row::kVersion, std::move(files)); });
  }
  // Adds files of a dataset that were written and committed in another way.
  void AddDatasetFiles(const std::string& dataset, int schema, std::vector<FileReceipt> files);

  // For runners: ends the writers. The receipt is then complete.
  arrow::Result<TaskReceipt> Finish();

 private:
  // Opens a writer that gives its files to `take` when the task ends.
  template <typename Row, typename Take>
  RunWriter<Row>* Keep(std::string folder, std::string prefix, RowFileOptions options, Take take) {
    options.rows_written = rows_written();
    auto writer = std::make_shared<RunWriter<Row>>(store(), std::move(folder), std::move(prefix), options);
    finishers_.push_back([writer, take]() -> arrow::Status {
      ARROW_ASSIGN_OR_RAISE(auto files, writer->Finish());
      take(std::move(files));
      return arrow::Status::OK();
    });
    return writer.get();
  }
  std::atomic<int64_t>* rows_written() const;
  void SetRunFiles(const std::string& table, int schema, std::vector<FileReceipt> files);

  const JobInputs& inputs_;
  int64_t now_offset_ms_ = 0;
  const std::unique_ptr<TaskReceipt> receipt_;
  std::vector<std::function<arrow::Status()>> finishers_;
};

// Sends rows to the partitions of their slots.
class RowSink {
 public:
  RowSink(RecordSink* sink, int partitions) : sink_(sink), partitions_(partitions) {}

  // Sends to a partition that the job chooses itself, under a key of its own.
  arrow::Status EmitTo(int partition, std::string_view shuffle_key, std::string_view value) {
    return sink_->Emit(partition, shuffle_key, value);
  }
  int partitions() const { return partitions_; }

  // The shuffle's key is the slot, big-endian, followed by the row's key.
  arrow::Status Emit(std::string_view key, std::string_view value);

 private:
  RecordSink* const sink_;
  const int partitions_;
  SlotOfKeys slot_of_;
  std::string shuffle_key_;
};

// Returns the place that a shuffle key stands for.
RowPlace PlaceOfShuffleKey(std::string_view shuffle_key);

// A job, as a value: the work of its tasks. No paths, no threads.
struct JobSpec {
  std::string name;
  // Its map tasks mostly wait for others: on one machine many run at once, whatever the number of threads.
  bool mostly_waits = false;
  // Called once for each part of the plan. Without partitions it writes the output; for tables, in the slots that the
  // part names as "slots", [begin, end).
  std::function<arrow::Status(TaskContext& context, const Json& part, RowSink& sink)> map;
  // Called once for each partition.
  std::function<arrow::Status(TaskContext& context, GroupStream& groups)> reduce;
  // Folds records of one key on their way to the reducers, and keeps the law of runtime/shuffle/combiner.h. May be empty.
  MakeCombiner combiner = {};
};

}  // namespace trawl
