#include "runtime/grouped_records.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Result<bool> GroupedRecords::Fill() {
  if (has_record_) return true;
  if (at_end_) return false;
  if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) return Status::Cancelled("the reduce task was stopped");
  ARROW_ASSIGN_OR_RAISE(has_record_, records_->Next(&record_));
  at_end_ = !has_record_;
  return has_record_;
}

Result<bool> GroupedRecords::NextGroup() {
  std::string_view skipped;
  for (bool more = in_group_; more;) {
    ARROW_ASSIGN_OR_RAISE(more, NextValue(&skipped));
  }
  ARROW_ASSIGN_OR_RAISE(in_group_, Fill());
  if (in_group_) key_.assign(record_.key());
  return in_group_;
}

Result<bool> GroupedRecords::NextValue(std::string_view* value) {
  if (!in_group_) return false;
  ARROW_ASSIGN_OR_RAISE(const bool more, Fill());
  in_group_ = more && record_.key() == key_;
  if (!in_group_) return false;
  *value = record_.value();
  has_record_ = false;
  return true;
}

}  // namespace trawl
