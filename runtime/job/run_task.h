// For the runners of jobs: both call the two functions below, which run one task and report its output.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "runtime/job/task.h"

namespace trawl {

// Inputs shared by all tasks of a job.
struct JobInputs {
  Store* store = nullptr;
  const Plan* plan = nullptr;
  const Manifest* snapshot = nullptr;  // the one that the plan names
  StopToken stop;
  const Clock* clock = &SystemClock();
  // Rows that the tasks have written so far, to show progress. May be null.
  std::atomic<int64_t>* rows_written = nullptr;
  // Takes the numbers that a long task shows, as an object. May be empty; called from any thread.
  std::function<void(const TaskId& task, const Json& gauges)> show;
  // Takes the failure of an attempt, and whether another follows. May be empty; called from any thread.
  std::function<void(const TaskId& task, const arrow::Status& failure, bool is_tried_again)> failed = {};
};

// What a reduce task received.
struct ShuffleCounts {
  int64_t records = 0;   // as map tasks sent them
  int64_t combined = 0;  // of these, how many were folded into others on their way
  int64_t bytes = 0;     // size of the keys and values that came

  void Add(const ShuffleCounts& other);
};

struct TaskReceipt {
  TaskId id;
  SlotRange slots;
  // By table, with the version of its rows.
  std::map<std::string, std::vector<FileReceipt>> files;
  std::map<std::string, int> schemas;
  // The same for a segment's datasets.
  std::map<std::string, std::vector<FileReceipt>> dataset_files;
  std::map<std::string, int> dataset_schemas;
  Counters counters;
  Samples samples;
  // Further facts that a task reports to the driver.
  Json facts;
  ShuffleCounts shuffle;  // of a reduce task
};

Json ToJson(const ShuffleCounts& counts);
arrow::Result<ShuffleCounts> ShuffleCountsFromJson(const Json& json);

arrow::Result<TaskReceipt> RunMapTask(const JobSpec& spec, const JobInputs& inputs, int part, int attempt,
                                      RecordSink* sink);
arrow::Result<TaskReceipt> RunReduceTask(const JobSpec& spec, const JobInputs& inputs, int partition, int attempt,
                                         GroupStream* groups);

}  // namespace trawl
