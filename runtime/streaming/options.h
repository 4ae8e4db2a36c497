// The options of `--runner streaming`: they say how jobs run on a cluster.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/job/plan.h"
#include "runtime/options/options.h"

namespace trawl {

// Who submits a job: Trawl by YARN's REST services, Hadoop's own client, or the first of them that can.
enum class SubmitWay : int8_t { kAuto, kRest, kClient };

struct StreamingOptions {
  std::string hadoop;
  std::string jar;
  SubmitWay submit = SubmitWay::kAuto;
  std::string bundle;
  std::string work_dir;
  std::string resource_manager;
  std::string queue;
  int64_t task_memory_bytes = 0;  // 0: by the plan
  int64_t block_size_bytes = 256 << 10;
  int32_t task_cores = 1;
  int32_t task_slots = 0;  // 0: as YARN says
  std::vector<std::string> define;
  std::vector<std::string> files;
  bool detach = false;
  bool shared_root = false;
};
const OptionGroup<StreamingOptions>& StreamingOptionGroup();

// Memory of a task's container: as the options say, or by what the plan needs. The rules are numbered at the definition.
int64_t TaskMemoryFor(const StreamingOptions& options, const Plan& plan);

// How a task's container is shared out.
struct ContainerShares {
  int64_t container_mb = 0;
  int64_t java_heap_mb = 0;  // heap of Hadoop's Java part
  int64_t sort_mb = 0;       // part of that heap
  int64_t task_bytes = 0;    // for the data of the task's own process
};
ContainerShares SharesOf(int64_t task_memory_bytes);

}  // namespace trawl
