// How the receipts of map tasks reach the driver when standard output belongs to their records: through the shuffle.
//
// Behind its trailers a map task sends one record more, of the key FF FF FF FF, to the partition (its number mod
// partitions): its receipt, as a line (runtime/job/receipt_text.h). The reducer there hands it on beside its own. So what
// is committed of a map task and what the driver hears of it are of one attempt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "runtime/job/run_task.h"
#include "runtime/shuffle/record_stream.h"

namespace trawl {

constexpr std::string_view kReceiptKey = "\xFF\xFF\xFF\xFF";

arrow::Status CarryReceipt(const TaskReceipt& receipt, int partitions, RecordSink* sink);

// A partition without the receipts at its end.
class ReceiptTap : public GroupStream {
 public:
  // `groups` is the caller's and outlives it.
  explicit ReceiptTap(GroupStream* groups) : groups_(groups) {}

  arrow::Result<bool> NextGroup() override;
  std::string_view key() const override { return groups_->key(); }
  arrow::Result<bool> NextValue(std::string_view* value) override { return groups_->NextValue(value); }

  // The lines that came; all of them once NextGroup has said false.
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  GroupStream* const groups_;
  std::vector<std::string> lines_;
  bool at_end_ = false;
};

}  // namespace trawl
