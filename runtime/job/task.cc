#include "runtime/job/task.h"

#include <algorithm>

#include "runtime/job/run_task.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

std::string TaskId::Name() const {
  return (is_reduce ? "r" : "m") + std::to_string(number) + "-" + std::to_string(attempt);
}

TaskContext::TaskContext(const JobInputs& inputs, TaskId id, SlotRange slots)
    : inputs_(inputs), receipt_(std::make_unique<TaskReceipt>()) {
  // The wall clock tells how long ago the plan was made, also on another machine; the monotonic one goes on from there.
  const int64_t since_plan_ms = std::max<int64_t>(clock().NowMs() - plan().planned_ms, 0);
  now_offset_ms_ = plan().now_ms + since_plan_ms - clock().MonotonicMs();
  receipt_->id = id;
  receipt_->slots = slots;
}

TaskContext::~TaskContext() = default;

Store* TaskContext::store() const { return inputs_.store; }
const Plan& TaskContext::plan() const { return *inputs_.plan; }
const Manifest& TaskContext::snapshot() const { return *inputs_.snapshot; }
const TaskId& TaskContext::id() const { return receipt_->id; }
const SlotRange& TaskContext::slots() const { return receipt_->slots; }
const StopToken& TaskContext::stop() const { return inputs_.stop; }
const Clock& TaskContext::clock() const { return *inputs_.clock; }
std::atomic<int64_t>* TaskContext::rows_written() const { return inputs_.rows_written; }

Counters& TaskContext::counters() { return receipt_->counters; }
Samples& TaskContext::samples() { return receipt_->samples; }
Json& TaskContext::facts() { return receipt_->facts; }

void TaskContext::Show(const Json& gauges) const {
  if (inputs_.show) inputs_.show(id(), gauges);
}

void TaskContext::SetRunFiles(const std::string& table, int schema, std::vector<FileReceipt> files) {
  receipt_->schemas[table] = schema;
  receipt_->files[table] = std::move(files);
}

void TaskContext::AddDatasetFiles(const std::string& dataset, int schema, std::vector<FileReceipt> files) {
  std::vector<FileReceipt>& all = receipt_->dataset_files[dataset];
  for (FileReceipt& file : files) all.push_back(std::move(file));
  receipt_->dataset_schemas[dataset] = schema;
}

Result<TaskReceipt> TaskContext::Finish() {
  for (const auto& finish : finishers_) ARROW_RETURN_NOT_OK(finish());
  finishers_.clear();
  return std::move(*receipt_);
}

Status RowSink::Emit(std::string_view key, std::string_view value) {
  const uint16_t slot = slot_of_(key);
  shuffle_key_.assign({static_cast<char>(slot >> 8), static_cast<char>(slot & 255)});
  shuffle_key_.append(key);
  return sink_->Emit(PartitionOfSlot(slot, partitions_), shuffle_key_, value);
}

RowPlace PlaceOfShuffleKey(std::string_view shuffle_key) {
  if (shuffle_key.size() < 2) return {};
  const auto byte = [shuffle_key](size_t i) { return static_cast<uint32_t>(static_cast<uint8_t>(shuffle_key[i])); };
  return {byte(0) << 8 | byte(1), shuffle_key.substr(2)};
}

}  // namespace trawl
