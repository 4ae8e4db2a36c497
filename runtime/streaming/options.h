// The options of `--runner streaming`: they say how jobs run on a cluster.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/options/options.h"

namespace trawl {

struct StreamingOptions {
  std::string hadoop;
  std::string jar;
  std::string bundle;
  std::string work_dir;
  std::string resource_manager;
  std::string queue;
  int64_t task_memory_bytes = int64_t{1} << 30;
  int64_t block_size_bytes = 256 << 10;
  int32_t task_cores = 1;
  int32_t task_slots = 16;
  std::vector<std::string> define;
  std::vector<std::string> files;
  bool detach = false;
  bool shared_root = false;
};
const OptionGroup<StreamingOptions>& StreamingOptionGroup();

// How a task's container is shared out.
struct ContainerShares {
  int64_t container_mb = 0;
  int64_t java_heap_mb = 0;  // heap of Hadoop's Java part
  int64_t sort_mb = 0;       // part of that heap
  int64_t task_bytes = 0;    // for the data of the task's own process
};
ContainerShares SharesOf(int64_t task_memory_bytes);

}  // namespace trawl
