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
      OptionGroup<S>("streaming", "On a Hadoop cluster, with --runner streaming")
          .String("hadoop", &S::hadoop, "Hadoop's command; without it $HADOOP_HOME/bin/hadoop, or hadoop in the PATH",
                  "FILE")
          .String("jar", &S::jar, "the jar of hadoop-streaming; without it the one below $HADOOP_HOME", "FILE")
          .String("bundle", &S::bundle,
                  "archive that scripts/bundle made, here or hdfs://…; without it trawl.tar.gz beside this program or "
                  "above it",
                  "FILE")
          .String("work_dir", &S::work_dir,
                  "hdfs://… folder for control files and receipts; without it the root, or hdfs:///tmp/trawl-USER",
                  "DIR")
          .String("resource_manager", &S::resource_manager,
                  "web address of YARN's ResourceManager; without it the one that HADOOP_CONF_DIR names",
                  "http://HOST:PORT")
          .Main()
          .String("queue", &S::queue, "YARN queue; without it the cluster's default", "NAME")
          .Size("task_memory", &S::task_memory_bytes, "memory of a task's container", AtLeast(kLeastTaskMb * kMiB))
          .Size("block_size", &S::block_size_bytes,
                "records travel between map and reduce tasks in sorted blocks of this size, before compression; with "
                "many "
                "map tasks they are smaller, so that a reduce task has memory for a block of each",
                Between(kLeastBlockBytes, kMostBlockBytes))
          .Int("task_cores", &S::task_cores, "cores of a task's container, and threads of the task", Between(1, 64))
          .Int("task_slots", &S::task_slots,
               "number of tasks that the queue runs at once, roughly; jobs are split to keep them busy",
               Between(1, 100'000))
          .List("define", &S::define, "settings for Hadoop, as its own -D", "NAME=VALUE")
          .List("files", &S::files, "files to place in the work folder of each task, here or hdfs://…", "FILE")
          .Bool("detach", &S::detach,
                "exit once the job is submitted (exit code 75); the same command later takes it up")
          .Bool("shared_root", &S::shared_root, "every node sees the root, a local path, as this machine does")
          .Must([](const S& options) { return CheckDefinitions(options.define); });
  return group;
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
