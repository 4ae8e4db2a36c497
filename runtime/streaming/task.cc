#include "runtime/streaming/task.h"

#include <algorithm>
#include <charconv>

#include "formats/text/ascii.h"
#include "runtime/blocks/shares.h"
#include "runtime/blocks/sink.h"
#include "runtime/blocks/stream.h"
#include "runtime/job/receipt_text.h"
#include "runtime/streaming/carried_receipts.h"
#include "runtime/streaming/channel.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// For each kind of task; the receipts have all counters.
constexpr size_t kMostCounters = 50;
constexpr size_t kMaxControlBytes = 64;

using Environment = std::map<std::string, std::string>;

Result<std::string> Variable(const Environment& environment, const std::string& name) {
  const auto found = environment.find(name);
  if (found != environment.end()) return found->second;
  return Status::Invalid("the variable ", name, " is missing: trawl task is for Hadoop Streaming to call");
}

Result<int64_t> NumberFrom(std::string_view text, const std::string& name) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) {
    return Status::Invalid(name, " is '", text.substr(0, 40), "', which is not a number");
  }
  return number;
}

Result<int64_t> NumberVariable(const Environment& environment, const std::string& name) {
  ARROW_ASSIGN_OR_RAISE(const std::string text, Variable(environment, name));
  return NumberFrom(text, name);
}

// Turns "status.404" into "status.4xx".
std::string NameForHadoop(const std::string& name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot + 1 == name.size()) return name;
  const auto begin = name.begin() + static_cast<std::ptrdiff_t>(dot) + 1;
  if (!std::all_of(begin, name.end(), IsAsciiDigit)) return name;
  return name.substr(0, dot + 2) + "xx";
}

Status WriteLine(const std::string& line, ByteSink* out) {
  ARROW_RETURN_NOT_OK(out->Write(line));
  return out->Write("\n");
}

}  // namespace

Result<int> AttemptNumberFrom(std::string_view attempt_id) {
  const size_t underscore = attempt_id.rfind('_');
  const std::string_view digits = underscore == std::string_view::npos ? "" : attempt_id.substr(underscore + 1);
  if (!attempt_id.starts_with("attempt_"))
    return Status::Invalid("'", attempt_id.substr(0, 80), "' is not an attempt's id");
  ARROW_ASSIGN_OR_RAISE(const int64_t number, NumberFrom(digits, "the attempt"));
  if (number > (1 << 30)) return Status::Invalid("'", attempt_id.substr(0, 80), "' is not an attempt's id");
  return static_cast<int>(number);
}

Result<StreamingTaskPlace> StreamingTaskPlaceFrom(const Environment& environment) {
  StreamingTaskPlace place;
  ARROW_ASSIGN_OR_RAISE(place.root, Variable(environment, "trawl_root"));
  ARROW_ASSIGN_OR_RAISE(place.job, Variable(environment, "trawl_job"));
  ARROW_ASSIGN_OR_RAISE(const std::string attempt, Variable(environment, "mapreduce_task_attempt_id"));
  ARROW_ASSIGN_OR_RAISE(place.attempt, AttemptNumberFrom(attempt));
  ARROW_ASSIGN_OR_RAISE(const int64_t partition, NumberVariable(environment, "mapreduce_task_partition"));
  place.partition = static_cast<int>(partition);
  ARROW_ASSIGN_OR_RAISE(const int64_t threads, NumberVariable(environment, "trawl_task_threads"));
  place.threads = static_cast<int>(threads);
  ARROW_ASSIGN_OR_RAISE(place.memory_bytes, NumberVariable(environment, "trawl_task_memory"));
  ARROW_ASSIGN_OR_RAISE(place.block_bytes, NumberVariable(environment, "trawl_task_block"));
  const auto temp = environment.find("TMPDIR");
  place.temp_folder = temp == environment.end() ? "/tmp" : temp->second;
  return place;
}

Result<int> PartNumberFrom(ByteSource* in) {
  std::string text;
  char buffer[kMaxControlBytes];
  while (text.size() <= kMaxControlBytes) {
    ARROW_ASSIGN_OR_RAISE(const size_t got, in->Read(buffer, sizeof buffer));
    if (got == 0) break;
    text.append(buffer, got);
  }
  // Hadoop puts a TAB after a key without a value.
  const std::string_view number = TrimBytes(text, " \t\r\n");
  ARROW_ASSIGN_OR_RAISE(const int64_t part, NumberFrom(number, "the line of the control file"));
  return static_cast<int>(part);
}

Result<TaskReceipt> RunStreamingMap(const JobSpec& spec, const JobInputs& inputs, int part,
                                    const StreamingTaskPlace& place, ByteSink* out) {
  const Plan& plan = *inputs.plan;
  if (static_cast<size_t>(part) >= plan.parts.size()) {
    return Status::Invalid("part ", part, " where the plan has ", plan.parts.size());
  }
  if (plan.partitions == 0) {
    NoRecordSink nowhere;
    ARROW_ASSIGN_OR_RAISE(TaskReceipt receipt, RunMapTask(spec, inputs, part, place.attempt, &nowhere));
    ARROW_RETURN_NOT_OK(WriteLine(ReceiptLine(receipt), out));
    return receipt;
  }
  const BlockShares shares = BlockSharesOf(place.memory_bytes, place.block_bytes, plan.parts.size());
  ARROW_ASSIGN_OR_RAISE(const auto sink, BlockSink::Make(out, {.partitions = plan.partitions,
                                                               .map_task = static_cast<uint32_t>(part),
                                                               .attempt = static_cast<uint32_t>(place.attempt),
                                                               .block_bytes = shares.block_bytes,
                                                               .sort_bytes = shares.sort_bytes,
                                                               .temp_folder = place.temp_folder,
                                                               .combiner = spec.combiner}));
  ARROW_ASSIGN_OR_RAISE(TaskReceipt receipt, RunMapTask(spec, inputs, part, place.attempt, sink.get()));
  ARROW_RETURN_NOT_OK(CarryReceipt(receipt, plan.partitions, sink.get()));
  ARROW_RETURN_NOT_OK(sink->Finish());
  return receipt;
}

Result<TaskReceipt> RunStreamingReduce(const JobSpec& spec, const JobInputs& inputs, const StreamingTaskPlace& place,
                                       ByteSource* in, ByteSink* out) {
  const Plan& plan = *inputs.plan;
  if (place.partition >= plan.partitions) {
    return Status::Invalid("partition ", place.partition, " where the plan has ", plan.partitions);
  }
  const BlockShares shares = BlockSharesOf(place.memory_bytes, place.block_bytes, plan.parts.size());
  ARROW_ASSIGN_OR_RAISE(const auto blocks, BlockGroupStream::Make(in, {.map_tasks = plan.parts.size(),
                                                                       .window_bytes = shares.window_bytes}));
  ReceiptTap groups(blocks.get());
  ARROW_ASSIGN_OR_RAISE(TaskReceipt receipt, RunReduceTask(spec, inputs, place.partition, place.attempt, &groups));
  for (const std::string& line : groups.lines()) ARROW_RETURN_NOT_OK(WriteLine(line, out));
  ARROW_RETURN_NOT_OK(WriteLine(ReceiptLine(receipt), out));
  return receipt;
}

Counters CountersForHadoop(const Counters& counters) {
  Counters reported;
  for (const auto& [name, count] : counters.counts()) {
    if (count == 0) continue;
    const std::string known = NameForHadoop(name);
    if (reported.counts().size() == kMostCounters && !reported.counts().contains(known)) continue;
    reported[known] += count;
  }
  return reported;
}

void ReportCounters(const Counters& counters) {
  const Counters reported = CountersForHadoop(counters);
  for (const auto& [name, count] : reported.counts()) TaskChannel::ReportCounter(name, count);
}

}  // namespace trawl
