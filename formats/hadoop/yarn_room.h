// How much of a YARN cluster one queue may use, and what it gives applications that do not say otherwise, from the
// ResourceManager's answers. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "arrow/result.h"

namespace trawl {

struct YarnRoom {
  int64_t memory_mb = 0;
  int64_t cores = 0;
};

// The whole cluster: {"clusterMetrics": {…}} of /ws/v1/cluster/metrics.
arrow::Result<YarnRoom> YarnRoomOfCluster(std::string_view metrics);

// The part of it that the queue may use at most: {"scheduler": {"schedulerInfo": {…}}} of /ws/v1/cluster/scheduler. `queue`
// is its name or its path; empty for "default". The capacity scheduler gives a share, the fair scheduler amounts. The
// whole cluster where the answer has no such queue.
arrow::Result<YarnRoom> YarnRoomOfQueue(std::string_view scheduler, std::string_view queue, const YarnRoom& cluster);

// The priority and the node label of an application that names none. Only the capacity scheduler has such defaults.
struct YarnQueueDefaults {
  int64_t priority = 0;
  std::string label;
};
// From the same answer, for a queue of that name or path.
arrow::Result<YarnQueueDefaults> YarnDefaultsOfQueue(std::string_view scheduler, std::string_view queue);

// The number of tasks that fit beside the application master of their job; one at least.
int YarnSlots(const YarnRoom& room, int64_t task_mb, int task_cores);

}  // namespace trawl
