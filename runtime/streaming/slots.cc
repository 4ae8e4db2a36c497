#include "runtime/streaming/slots.h"

#include <utility>

#include "runtime/streaming/yarn.h"

namespace trawl {

using arrow::Result;

Result<int> TaskSlots(const StreamingOptions& options) {
  // A queue is divided by it where the memory of tasks follows their plan.
  constexpr int64_t kUsualTaskBytes = int64_t{1} << 30;
  if (options.task_slots > 0) return options.task_slots;
  ARROW_ASSIGN_OR_RAISE(YarnAddresses addresses, FindYarn(options.resource_manager));
  ARROW_ASSIGN_OR_RAISE(const YarnRoom room, YarnClient(std::move(addresses)).RoomOf(options.queue));
  const int64_t task_bytes = options.task_memory_bytes > 0 ? options.task_memory_bytes : kUsualTaskBytes;
  return YarnSlots(room, SharesOf(task_bytes).container_mb, options.task_cores);
}

}  // namespace trawl
