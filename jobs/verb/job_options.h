// Options that decide how the tasks of a job are cut, run and written, and the summary that every job gives.
#pragma once

#include <cstdint>

#include "formats/documents/json.h"
#include "runtime/job/job.h"
#include "runtime/options/options.h"
#include "runtime/tables/run_writer.h"

namespace trawl {

enum class RunnerKind : int8_t { kLocal, kStreaming, kAuto };

// How the tasks of a job are cut and run.
struct JobOptions {
  RunnerKind runner = RunnerKind::kAuto;
  // Limits of the jobs that run on this machine with the runner auto.
  int64_t local_bytes = int64_t{256} << 20;
  int64_t local_time_ms = 60'000;
  int32_t partitions = 0;
  int32_t attempts = 3;
  int64_t file_bytes = int64_t{128} << 20;
  double bloom_false_positives = 0.01;
};
const OptionGroup<JobOptions>& JobOptionGroup();

// Partitions of a job that shuffles about this many bytes: the number that the options give, else one per 16 MiB.
int PartitionsFor(const JobOptions& options, int64_t bytes);

// How a job's tasks write their files.
RowFileOptions FileOptions(const JobOptions& options);

// "job", "changed", "snapshot", "seconds" and the counters: the first members of every job's --json object.
Json SummaryOf(const JobResult& result);

}  // namespace trawl
