// Runs one task of a job and reports what it wrote, for those who run jobs: both runners call the two functions below.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "runtime/job/task.h"

namespace trawl {

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

arrow::Result<TaskReceipt> RunMapTask(const JobSpec& spec, const JobInputs& inputs, int part, int attempt,
                                      RecordSink* sink);
arrow::Result<TaskReceipt> RunReduceTask(const JobSpec& spec, const JobInputs& inputs, int partition, int attempt,
                                         GroupStream* groups);

}  // namespace trawl
