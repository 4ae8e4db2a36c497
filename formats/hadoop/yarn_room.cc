#include "formats/hadoop/yarn_room.h"

#include <algorithm>
#include <string>

#include "formats/documents/json.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// By Hadoop's defaults (yarn.app.mapreduce.am.resource.mb, ….cpu-vcores).
constexpr int64_t kMasterMb = 1536;
constexpr int64_t kMasterCores = 1;
// As many as --streaming.task_slots takes.
constexpr int64_t kMostSlots = 100'000;
// An answer is not nested deeper.
constexpr int kDeepest = 64;

double Number(const Json& object, const char* name, double otherwise) {
  return HasMember(object, name) && object[name].is_number() ? object[name].get<double>() : otherwise;
}

int64_t Whole(const Json& object, const char* name, int64_t otherwise) {
  return static_cast<int64_t>(std::clamp(Number(object, name, static_cast<double>(otherwise)), 0.0, 1e15));
}

Result<Json> Inner(std::string_view text, const char* outer) {
  ARROW_ASSIGN_OR_RAISE(Json json, ParseJson(text));
  if (!HasMember(json, outer) || !json[outer].is_object()) return Status::Invalid("an answer without '", outer, "'");
  return Json(json[outer]);
}

bool IsNamed(const Json& object, std::string_view queue) {
  for (const char* const name : {"queuePath", "queueName"}) {
    const std::string text = GetString(object, name).ValueOr("");
    if (text.empty()) continue;
    if (text == queue || text == "root." + std::string(queue)) return true;
    if (queue.find('.') == std::string_view::npos && text.ends_with("." + std::string(queue))) return true;
  }
  return false;
}

// The queue of that name, among these values and all below them; null where there is none.
const Json* FindQueue(const Json& value, std::string_view queue, int depth) {
  if (depth > kDeepest) return nullptr;
  if (value.is_object() && IsNamed(value, queue)) return &value;
  if (!value.is_object() && !value.is_array()) return nullptr;
  for (const Json& inner : value) {
    if (const Json* const found = FindQueue(inner, queue, depth + 1)) return found;
  }
  return nullptr;
}

}  // namespace

Result<YarnRoom> YarnRoomOfCluster(std::string_view metrics) {
  ARROW_ASSIGN_OR_RAISE(const Json json, Inner(metrics, "clusterMetrics"));
  return YarnRoom{.memory_mb = Whole(json, "totalMB", 0), .cores = Whole(json, "totalVirtualCores", 0)};
}

Result<YarnRoom> YarnRoomOfQueue(std::string_view scheduler, std::string_view queue, const YarnRoom& cluster) {
  ARROW_ASSIGN_OR_RAISE(const Json json, Inner(scheduler, "scheduler"));
  const Json* const found = FindQueue(json, queue.empty() ? "default" : queue, 0);
  if (found == nullptr) return cluster;
  if (HasMember(*found, "maxResources") && (*found)["maxResources"].is_object()) {
    const Json& most = (*found)["maxResources"];
    return YarnRoom{.memory_mb = std::min(Whole(most, "memory", cluster.memory_mb), cluster.memory_mb),
                    .cores = std::min(Whole(most, "vCores", cluster.cores), cluster.cores)};
  }
  const double percent = std::clamp(Number(*found, "absoluteMaxCapacity", 100), 0.0, 100.0);
  return YarnRoom{.memory_mb = static_cast<int64_t>(static_cast<double>(cluster.memory_mb) * percent / 100),
                  .cores = static_cast<int64_t>(static_cast<double>(cluster.cores) * percent / 100)};
}

Result<YarnQueueDefaults> YarnDefaultsOfQueue(std::string_view scheduler, std::string_view queue) {
  ARROW_ASSIGN_OR_RAISE(const Json json, Inner(scheduler, "scheduler"));
  const Json* const found = FindQueue(json, queue, 0);
  if (found == nullptr) return YarnQueueDefaults();
  return YarnQueueDefaults{.priority = Whole(*found, "defaultPriority", 0),
                           .label = GetString(*found, "defaultNodeLabelExpression").ValueOr("")};
}

int YarnSlots(const YarnRoom& room, int64_t task_mb, int task_cores) {
  const int64_t by_memory = (room.memory_mb - kMasterMb) / std::max<int64_t>(task_mb, 1);
  const int64_t by_cores = (room.cores - kMasterCores) / std::max(task_cores, 1);
  return static_cast<int>(std::clamp<int64_t>(std::min(by_memory, by_cores), 1, kMostSlots));
}

}  // namespace trawl
