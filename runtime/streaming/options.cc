#include "runtime/streaming/options.h"

#include <algorithm>

#include "runtime/blocks/shares.h"
#include "runtime/process/status_detail.h"
#include "runtime/streaming/settings.h"

namespace trawl {

namespace {

constexpr int64_t kMiB = int64_t{1} << 20;
// With less, Java and libhdfs leave no memory for the data.
constexpr int64_t kLeastTaskMb = 512;

}  // namespace

const OptionGroup<StreamingOptions>& StreamingOptionGroup() {
  using S = StreamingOptions;
  static const auto group =
      OptionGroup<S>("streaming", "On a Hadoop cluster, with --runner streaming or auto")
          .String("hadoop", &S::hadoop, "Hadoop's command; without it $HADOOP_HOME/bin/hadoop, or hadoop in the PATH",
                  "FILE")
          .String("jar", &S::jar, "the jar of hadoop-streaming; without it the one below $HADOOP_HOME", "FILE")
          .Choice(
              "submit", &S::submit,
              "who submits jobs: rest, Trawl itself by YARN's REST services; client, Hadoop's command, which starts a "
              "Java machine for each job; auto, rest where the cluster and the job allow it",
              {{"auto", SubmitWay::kAuto}, {"rest", SubmitWay::kRest}, {"client", SubmitWay::kClient}})
          .String("bundle", &S::bundle,
                  "archive that scripts/bundle made, here or hdfs://…; without it trawl.tar.gz beside this program or "
                  "above it, or one that is made of this program and kept in a cache",
                  "FILE")
          .String("work_dir", &S::work_dir,
                  "hdfs://… folder for control files and receipts; without it the root, or hdfs:///tmp/trawl-USER",
                  "DIR")
          .String("resource_manager", &S::resource_manager,
                  "web address of YARN's ResourceManager; without it the one that HADOOP_CONF_DIR names",
                  "http://HOST:PORT")
          .Main()
          .String("queue", &S::queue, "YARN queue; without it the cluster's default", "NAME")
          .Size("task_memory", &S::task_memory_bytes,
                "memory of a task's container; 0 chooses it by the plan of the job", AtLeast(0))
          .Size("block_size", &S::block_size_bytes,
                "records travel between map and reduce tasks in sorted blocks of this size, before compression; with "
                "many map tasks they are smaller, so that a reduce task has memory for a block of each",
                Between(kLeastBlockBytes, kMostBlockBytes))
          .Int("task_cores", &S::task_cores, "cores of a task's container, and threads of the task", Between(1, 64))
          .Int("task_slots", &S::task_slots,
               "number of tasks that the queue runs at once, roughly, by which jobs are cut; 0 asks YARN for the "
               "memory and cores of the queue",
               Between(0, 100'000))
          .List("define", &S::define, "settings for Hadoop, as its own -D", "NAME=VALUE")
          .List("files", &S::files, "files to place in the work folder of each task, here or hdfs://…", "FILE")
          .Bool("detach", &S::detach,
                "exit once the job is submitted (exit code 75); the same command later takes it up")
          .Bool("shared_root", &S::shared_root, "every node sees the root, a local path, as this machine does")
          .Must([](const S& options) { return CheckDefinitions(options.define); })
          .Must([](const S& options) -> arrow::Status {
            if (options.task_memory_bytes == 0 || options.task_memory_bytes >= kLeastTaskMb * kMiB)
              return arrow::Status::OK();
            return UsageError("streaming.task_memory: ", kLeastTaskMb, "MiB at least, or 0");
          });
  return group;
}

int64_t TaskMemoryFor(const StreamingOptions& options, const Plan& plan) {
  constexpr int64_t kStep = 256 * kMiB, kTiny = 768 * kMiB, kUsual = 1024 * kMiB, kMost = 4096 * kMiB;
  constexpr int64_t kTinyTaskBytes = 16 * kMiB;
  if (options.task_memory_bytes > 0) return options.task_memory_bytes;
  int64_t tasks = std::max<int64_t>(static_cast<int64_t>(plan.parts.size()), 1);
  if (plan.partitions > 0) tasks = std::min<int64_t>(tasks, plan.partitions);
  //  1. A task that mostly waits keeps what its hosts send; that does not depend on the size of the plan.
  //  2. A task of few bytes takes little more than Java and libhdfs do.
  const bool is_tiny = plan.work.wait_ms == 0 && plan.work.bytes >= 0 && plan.work.bytes / tasks <= kTinyTaskBytes;
  int64_t memory = is_tiny ? kTiny : kUsual;
  //  3. A reduce task has room for a block of each map task, so that blocks need not be smaller than was asked for.
  const auto has_room = [&](int64_t bytes) {
    const int64_t task_bytes = SharesOf(bytes).task_bytes;
    return BlockSharesOf(task_bytes, options.block_size_bytes, plan.parts.size()).block_bytes >=
           options.block_size_bytes;
  };
  while (plan.partitions > 0 && memory < kMost && !has_room(memory)) memory += kStep;
  return memory;
}

ContainerShares SharesOf(int64_t task_memory_bytes) {
  // Java takes its heap and about 100 MB; libhdfs' own Java, inside the task, and the binary take about 200 MB.
  constexpr int64_t kJavaOverheadMb = 100;
  constexpr int64_t kTaskOverheadMb = 200;
  ContainerShares shares;
  shares.container_mb = (task_memory_bytes + kMiB - 1) / kMiB;
  shares.java_heap_mb = std::clamp<int64_t>(shares.container_mb / 4, 160, 1024);
  shares.sort_mb = std::clamp<int64_t>(shares.java_heap_mb * 2 / 5, 40, 400);
  const int64_t rest_mb = shares.container_mb - shares.java_heap_mb - kJavaOverheadMb - kTaskOverheadMb;
  shares.task_bytes = std::max<int64_t>(rest_mb, 32) * kMiB;
  return shares;
}

}  // namespace trawl
