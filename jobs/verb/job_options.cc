#include "jobs/verb/job_options.h"

#include <algorithm>

namespace trawl {

const OptionGroup<JobOptions>& JobOptionGroup() {
  static const auto group =
      OptionGroup<JobOptions>("job", "Where and how the work runs")
          .Choice("runner", &JobOptions::runner, "this machine, Hadoop, or what fits each job",
                  {{"local", RunnerKind::kLocal}, {"streaming", RunnerKind::kStreaming}, {"auto", RunnerKind::kAuto}})
          .Main()
          .Size("local_bytes", &JobOptions::local_bytes,
                "with the runner auto, jobs that read and write less than this run on this machine")
          .Duration("local_time", &JobOptions::local_time_ms,
                    "with the runner auto, a fetch that is expected to take longer than this runs on the cluster")
          .Int("partitions", &JobOptions::partitions, "number of reduce tasks; 0 chooses it by the size of the input",
               Between(0, 4065))
          .Int("attempts", &JobOptions::attempts, "attempts per task before the job fails", Between(1, 100))
          .Size("file_size", &JobOptions::file_bytes, "size at which a table file is closed and the next one begins",
                AtLeast(1 << 20))
          .Real(
              "bloom_false_positives", &JobOptions::bloom_false_positives,
              "share of unknown keys that the Bloom filters of table files let through by mistake; 0 writes no filters",
              {0, 0.5});
  return group;
}

int PartitionsFor(const JobOptions& options, int64_t bytes) {
  constexpr int64_t kBytesAPartition = int64_t{16} << 20;
  if (options.partitions > 0) return options.partitions;
  return static_cast<int>(std::clamp<int64_t>((bytes + kBytesAPartition - 1) / kBytesAPartition, 1, 1024));
}

RowFileOptions FileOptions(const JobOptions& options) {
  return {.file_bytes = options.file_bytes, .bloom_false_positives = options.bloom_false_positives};
}

Json SummaryOf(const JobResult& result) {
  Json summary = {
      {"job", result.job}, {"changed", result.changed}, {"snapshot", result.snapshot}, {"seconds", result.seconds}};
  for (const auto& [name, count] : result.output.counters.counts()) summary[name] = count;
  return summary;
}

}  // namespace trawl
