// A task as it runs under Hadoop Streaming: the same RunMapTask and RunReduceTask, with frames and receipts on its
// standard streams.
#pragma once

#include <map>
#include <string>

#include "arrow/result.h"
#include "formats/hadoop/frame.h"
#include "runtime/job/run_task.h"

namespace trawl {

// What Hadoop tells a task of itself, in its environment, and what the driver added.
struct StreamingTaskPlace {
  std::string root;
  std::string job;
  int attempt = 0;
  int partition = 0;  // of a reducer
  int threads = 1;    // what of the container the task may use
  int64_t memory_bytes = 0;
  std::string temp_folder;
};
arrow::Result<StreamingTaskPlace> StreamingTaskPlaceFrom(const std::map<std::string, std::string>& environment);

// The attempt in "attempt_1767225600000_0042_m_000003_1000".
arrow::Result<int> AttemptNumberFrom(std::string_view attempt_id);
// The one line of a mapper's input: the number of its part.
arrow::Result<int> PartNumberFrom(ByteSource* in);

// Runs a map task with its records (or, where the job has no partitions, its receipt) going to `out`.
arrow::Result<TaskReceipt> RunStreamingMap(const JobSpec& spec, const JobInputs& inputs, int part, int attempt,
                                           ByteSink* out);
// Runs a reduce task on the frames of `in`; the receipts go to `out`.
arrow::Result<TaskReceipt> RunStreamingReduce(const JobSpec& spec, const JobInputs& inputs, int partition, int attempt,
                                              ByteSource* in, ByteSink* out);

// What Hadoop is told of a task's counters: it fails a job that has more than 120 names, over all of its tasks. Names
// that the web chooses the end of (status.404) become their class (status.4xx); zeros are left out.
Counters CountersForHadoop(const Counters& counters);
void ReportCounters(const Counters& counters);

}  // namespace trawl
