#include "runtime/shuffle/grouping_stream.h"

namespace trawl {

using arrow::Result;

// Reads a record unless one is waiting; false at the end.
Result<bool> GroupingStream::Fill() {
  if (has_record_) return true;
  if (at_end_) return false;
  ARROW_ASSIGN_OR_RAISE(has_record_, NextRecord(&next_key_, &next_value_));
  at_end_ = !has_record_;
  return has_record_;
}

Result<bool> GroupingStream::NextGroup() {
  std::string_view skipped;
  while (in_group_) {
    ARROW_RETURN_NOT_OK(NextValue(&skipped).status());
  }
  ARROW_ASSIGN_OR_RAISE(in_group_, Fill());
  if (in_group_) key_.assign(next_key_);
  return in_group_;
}

Result<bool> GroupingStream::NextValue(std::string_view* value) {
  if (!in_group_) return false;
  ARROW_ASSIGN_OR_RAISE(const bool more, Fill());
  in_group_ = more && next_key_ == key_;
  if (!in_group_) return false;
  *value = next_value_;
  has_record_ = false;
  return true;
}

}  // namespace trawl
