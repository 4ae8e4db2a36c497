#include "runtime/job/receipt_check.h"

#include <algorithm>

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

RowPlace FirstPlace(const FileReceipt& file) { return {file.first_slot, file.first_key}; }
RowPlace LastPlace(const FileReceipt& file) { return {file.last_slot, file.last_key}; }

// Returns the receipts of the tasks that write, by their slots.
Result<std::vector<const TaskReceipt*>> Writers(const Plan& plan, const std::vector<TaskReceipt>& receipts) {
  const bool reduces = plan.partitions > 0;
  const size_t wanted = reduces ? static_cast<size_t>(plan.partitions) : plan.parts.size();
  std::vector<const TaskReceipt*> writers(wanted);
  for (const TaskReceipt& receipt : receipts) {
    if (receipt.id.is_reduce != reduces) {
      if (!receipt.files.empty())
        return Status::Invalid("task ", receipt.id.Name(), " reports files it must not write");
      continue;
    }
    const auto number = static_cast<size_t>(receipt.id.number);
    if (number >= wanted || writers[number] != nullptr) {
      return Status::Invalid("task ", receipt.id.Name(), " reports twice or does not belong to the job");
    }
    writers[number] = &receipt;
  }
  for (size_t number = 0; number < wanted; ++number) {
    if (writers[number] == nullptr) return Status::Invalid("task ", number, " of ", wanted, " did not report");
  }
  std::sort(writers.begin(), writers.end(),
            [](const TaskReceipt* a, const TaskReceipt* b) { return a->slots.begin < b->slots.begin; });
  return writers;
}

Status CheckFile(const TaskReceipt& task, const FileReceipt& file) {
  const bool sound = file.rows > 0 && file.removed >= 0 && file.removed <= file.rows && file.seal.size_bytes > 0 &&
                     task.slots.Contains(file.first_slot) && task.slots.Contains(file.last_slot) &&
                     !(LastPlace(file) < FirstPlace(file));
  return sound ? Status::OK()
               : Status::Invalid("task ", task.id.Name(), ": the receipt of ", file.name, " makes no sense");
}

}  // namespace

Result<std::map<std::string, std::vector<FileReceipt>>> FilesOfReceipts(const Plan& plan,
                                                                        const std::vector<TaskReceipt>& receipts) {
  ARROW_ASSIGN_OR_RAISE(const auto writers, Writers(plan, receipts));
  std::map<std::string, std::vector<FileReceipt>> files;
  const bool writes_tables = std::any_of(writers.begin(), writers.end(), [](const TaskReceipt* task) {
    return !task->files.empty() || task->slots.begin != task->slots.end;
  });
  if (!writes_tables) return files;
  uint32_t covered = 0;
  for (const TaskReceipt* task : writers) {
    if (task->slots.begin != covered) {
      return Status::Invalid("slots ", covered, " to ", task->slots.begin, " are nobody's, or two tasks'");
    }
    covered = task->slots.end;
    for (const auto& [table, written] : task->files) {
      std::vector<FileReceipt>& all = files[table];
      for (const FileReceipt& file : written) {
        ARROW_RETURN_NOT_OK(CheckFile(*task, file));
        if (!all.empty() && !(LastPlace(all.back()) < FirstPlace(file))) {
          return Status::Invalid("task ", task->id.Name(), ": ", file.name, " overlaps ", all.back().name);
        }
        all.push_back(file);
      }
    }
  }
  if (covered != kSlots) return Status::Invalid("slots ", covered, " to ", kSlots, " are nobody's");
  return files;
}

}  // namespace trawl
