// One task of a job: what it is given, how it runs, and what it reports. Both runners call the two functions below.
//
// Output goes into files whose names carry task and attempt, so a failed attempt leaves files that nobody names.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/receipt.h"
#include "formats/url/key.h"
#include "runtime/job/counters.h"
#include "runtime/job/plan.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"
#include "runtime/root/snapshot.h"
#include "runtime/shuffle/record_stream.h"
#include "runtime/store/store.h"
#include "runtime/tables/run_writer.h"

namespace trawl {

struct TaskId;

// What all tasks of a job share.
struct JobInputs {
  Store* store = nullptr;
  const Plan* plan = nullptr;
  const Manifest* snapshot = nullptr;  // the one that the plan names
  StopToken stop;
  const Clock* clock = &SystemClock();
  // Rows that the tasks have written so far, for whoever watches. May be null.
  std::atomic<int64_t>* rows_written = nullptr;
  // Takes what a long task shows of itself: an object of numbers. May be empty; called from any thread.
  std::function<void(const TaskId& task, const Json& gauges)> show;
};

struct TaskId {
  bool is_reduce = false;
  int number = 0;
  int attempt = 0;
  // "r3-0": unique among all attempts of a job.
  std::string Name() const;
};

struct TaskReceipt {
  TaskId id;
  SlotRange slots;
  // By table, with the version of its rows.
  std::map<std::string, std::vector<FileReceipt>> files;
  std::map<std::string, int> schemas;
  // The same of a segment's datasets.
  std::map<std::string, std::vector<FileReceipt>> dataset_files;
  std::map<std::string, int> dataset_schemas;
  Counters counters;
  Samples samples;
  // What else a task has to tell the driver.
  Json facts;
};

class TaskContext {
 public:
  TaskContext(const JobInputs& inputs, TaskId id, SlotRange slots);

  Store* store() const { return inputs_.store; }
  const Plan& plan() const { return *inputs_.plan; }
  const Manifest& snapshot() const { return *inputs_.snapshot; }
  const TaskId& id() const { return id_; }
  // The slots whose rows this task writes.
  const SlotRange& slots() const { return slots_; }

  Counters& counters() { return receipt_.counters; }
  Samples& samples() { return receipt_.samples; }
  Json& facts() { return receipt_.facts; }
  // Fails once the job is asked to stop; call it between pieces of work.
  arrow::Status CheckStop() const { return inputs_.stop.Check(); }
  const StopToken& stop() const { return inputs_.stop; }

  // Time for the tasks that may know it (fetch alone): the plan's now, and what has elapsed since it was made.
  const Clock& clock() const { return *inputs_.clock; }
  TimeMs NowMs() const { return now_offset_ms_ + clock().MonotonicMs(); }
  // Shows numbers of a long task to whoever watches.
  void Show(const Json& gauges) const {
    if (inputs_.show) inputs_.show(id_, gauges);
  }

  template <typename Group>
  auto Read(const Group& group) const {
    return group.Read(inputs_.plan->options);
  }

  // The writer of this task's part of the job's run of Row's table; lives as long as the task. Its files end with the
  // task.
  template <typename Row>
  RunWriter<Row>* OpenRun(RowFileOptions options = {}) {
    options.slots = slots_;
    options.rows_written = inputs_.rows_written;
    auto writer = std::make_shared<RunWriter<Row>>(store(), RunFolder(Row::kTable, plan().job), id_.Name(), options);
    finishers_.push_back([this, writer]() -> arrow::Status {
      receipt_.schemas[Row::kTable] = Row::kVersion;
      ARROW_ASSIGN_OR_RAISE(receipt_.files[Row::kTable], writer->Finish());
      return arrow::Status::OK();
    });
    return writer.get();
  }

  // The same of a dataset of the plan's segment.
  template <typename Row>
  RunWriter<Row>* OpenDataset(const std::string& dataset, RowFileOptions options = {}) {
    options.slots = {};
    options.rows_written = inputs_.rows_written;
    auto writer = std::make_shared<RunWriter<Row>>(store(), DatasetFolder(plan().segment(), dataset),
                                                   plan().job + "-" + id_.Name(), options);
    finishers_.push_back([this, dataset, writer]() -> arrow::Status {
      ARROW_ASSIGN_OR_RAISE(auto receipts, writer->Finish());
      AddDatasetFiles(dataset, Row::kVersion, std::move(receipts));
      return arrow::Status::OK();
    });
    return writer.get();
  }
  // Files of a dataset that were written and committed otherwise.
  void AddDatasetFiles(const std::string& dataset, int schema, std::vector<FileReceipt> receipts) {
    std::vector<FileReceipt>& files = receipt_.dataset_files[dataset];
    for (FileReceipt& receipt : receipts) files.push_back(std::move(receipt));
    receipt_.dataset_schemas[dataset] = schema;
  }

  // Ends the writers. The receipt is whole afterwards.
  arrow::Result<TaskReceipt> Finish();

 private:
  JobInputs inputs_;
  TaskId id_;
  SlotRange slots_;
  int64_t now_offset_ms_ = 0;
  TaskReceipt receipt_;
  std::vector<std::function<arrow::Status()>> finishers_;
};

// Sends rows to the partitions of their slots.
class RowSink {
 public:
  RowSink(RecordSink* sink, int partitions) : sink_(sink), partitions_(partitions) {}

  // To a partition that the job chooses itself, under a key of its own.
  arrow::Status EmitTo(int partition, std::string_view shuffle_key, std::string_view value) {
    return sink_->Emit(partition, shuffle_key, value);
  }
  int partitions() const { return partitions_; }

  // The shuffle's key is the slot, big-endian, and the row's key.
  arrow::Status Emit(std::string_view key, std::string_view value);

 private:
  RecordSink* const sink_;
  const int partitions_;
  SlotOfKeys slot_of_;
  std::string shuffle_key_;
};

// The place that a shuffle key stands for.
RowPlace PlaceOfShuffleKey(std::string_view shuffle_key);

// A job, as a value: what its tasks do. No paths, no threads.
struct JobSpec {
  std::string name;
  // Its map tasks wait for others most of the time: on one machine all of them run at once, whatever the threads.
  bool mostly_waits = false;
  // Once for each part of the plan. Without partitions it writes the output: of tables, for the slots that the part
  // names as "slots", [begin, end).
  std::function<arrow::Status(TaskContext& context, const Json& part, RowSink& sink)> map;
  // Once for each partition.
  std::function<arrow::Status(TaskContext& context, GroupStream& groups)> reduce;
};

arrow::Result<TaskReceipt> RunMapTask(const JobSpec& spec, const JobInputs& inputs, int part, int attempt,
                                      RecordSink* sink);
arrow::Result<TaskReceipt> RunReduceTask(const JobSpec& spec, const JobInputs& inputs, int partition, int attempt,
                                         GroupStream* groups);

}  // namespace trawl
