// A task under Hadoop Streaming: the same RunMapTask and RunReduceTask, with blocks and receipts on its standard
// streams.
#pragma once

#include <map>
#include <string>

#include "arrow/result.h"
#include "formats/hadoop/frame.h"
#include "runtime/job/run_task.h"

namespace trawl {

// The task's identity, from Hadoop's environment and the driver's additions to it.
struct StreamingTaskPlace {
  std::string root;
  std::string job;
  int attempt = 0;
  int partition = 0;  // only for a reducer
  int threads = 1;    // the part of the container's cores that the task may use
  int64_t memory_bytes = 0;
  int64_t block_bytes = 256 << 10;  // the wanted size of blocks
  std::string temp_folder = "/tmp";
};
arrow::Result<StreamingTaskPlace> StreamingTaskPlaceFrom(const std::map<std::string, std::string>& environment);

// Returns the attempt's number in "attempt_1767225600000_0042_m_000003_1000".
arrow::Result<int> AttemptNumberFrom(std::string_view attempt_id);
// Reads a mapper's input, which is one line: the number of its part.
arrow::Result<int> PartNumberFrom(ByteSource* in);

// Runs the map task of a part; its records, as blocks (or, where the job has no partitions, its receipt), go to `out`.
arrow::Result<TaskReceipt> RunStreamingMap(const JobSpec& spec, const JobInputs& inputs, int part,
                                           const StreamingTaskPlace& place, ByteSink* out);
// Runs a reduce task on the blocks of `in`; the receipts go to `out`.
arrow::Result<TaskReceipt> RunStreamingReduce(const JobSpec& spec, const JobInputs& inputs,
                                              const StreamingTaskPlace& place, ByteSource* in, ByteSink* out);

// Returns the counters to report to Hadoop, which fails a job that has more than 120 names over all of its tasks. A
// name whose end the web chooses (status.404) becomes its class (status.4xx); zeros are left out.
Counters CountersForHadoop(const Counters& counters);
void ReportCounters(const Counters& counters);

}  // namespace trawl
