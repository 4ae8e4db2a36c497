#include "runtime/job/run_task.h"

#include "runtime/job/slot_parts.h"
#include "runtime/shuffle/trailer.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

Status InTask(const TaskId& id, const std::string& what, const Status& status) {
  return status.ok() ? status : status.WithMessage("task ", id.Name(), what, ": ", status.message());
}

// Returns the part as a message names it: a file by its name, anything else as it stands, cut to fit.
std::string Brief(const Json& part) {
  constexpr size_t kMost = 200;
  if (HasMember(part, "file") && part["file"].is_object() && HasMember(part["file"], "name")) {
    const Json& name = part["file"]["name"];
    if (name.is_string()) return name.get<std::string>();
  }
  const std::string text = DumpJson(part);
  return text.size() <= kMost ? text : text.substr(0, kMost) + "…";
}

}  // namespace

void ShuffleCounts::Add(const ShuffleCounts& other) {
  records += other.records;
  combined += other.combined;
  bytes += other.bytes;
}

Json ToJson(const ShuffleCounts& counts) {
  return {{"records", counts.records}, {"combined", counts.combined}, {"bytes", counts.bytes}};
}

Result<ShuffleCounts> ShuffleCountsFromJson(const Json& json) {
  ShuffleCounts counts;
  ARROW_ASSIGN_OR_RAISE(counts.records, GetInt(json, "records"));
  ARROW_ASSIGN_OR_RAISE(counts.combined, GetInt(json, "combined"));
  ARROW_ASSIGN_OR_RAISE(counts.bytes, GetInt(json, "bytes"));
  return counts;
}

Result<TaskReceipt> RunMapTask(const JobSpec& spec, const JobInputs& inputs, int part, int attempt, RecordSink* sink) {
  const TaskId id = {.is_reduce = false, .number = part, .attempt = attempt};
  const Json& what = inputs.plan->parts[static_cast<size_t>(part)];
  const int partitions = inputs.plan->partitions;
  SlotRange slots = {0, 0};
  if (partitions == 0 && HasMember(what, "slots")) {
    const Result<SlotRange> named = SlotsOfPart(what);
    ARROW_RETURN_NOT_OK(InTask(id, "", named.status()));
    slots = *named;
  }
  TaskContext context(inputs, id, slots);
  TrailerSink counted(sink, static_cast<uint32_t>(part), partitions);
  RowSink rows(&counted, partitions);
  const auto run = [&]() -> Status {
    ARROW_RETURN_NOT_OK(spec.map(context, what, rows));
    ARROW_RETURN_NOT_OK(context.CheckStop());
    return partitions == 0 ? Status::OK() : counted.Finish();
  };
  ARROW_RETURN_NOT_OK(InTask(id, " (" + Brief(what) + ")", run()));
  return context.Finish();
}

Result<TaskReceipt> RunReduceTask(const JobSpec& spec, const JobInputs& inputs, int partition, int attempt,
                                  GroupStream* groups) {
  const TaskId id = {.is_reduce = true, .number = partition, .attempt = attempt};
  const Plan& plan = *inputs.plan;
  TaskContext context(inputs, id, RangeOfPartition(partition, plan.partitions));
  TrailerCheck checked(groups, static_cast<uint32_t>(plan.parts.size()));
  const auto run = [&]() -> Status {
    ARROW_RETURN_NOT_OK(spec.reduce(context, checked));
    ARROW_RETURN_NOT_OK(context.CheckStop());
    return checked.Finish();
  };
  ARROW_RETURN_NOT_OK(InTask(id, "", run()));
  ARROW_ASSIGN_OR_RAISE(TaskReceipt receipt, context.Finish());
  receipt.shuffle = {
      .records = checked.records() + checked.combined(), .combined = checked.combined(), .bytes = checked.bytes()};
  return receipt;
}

}  // namespace trawl
