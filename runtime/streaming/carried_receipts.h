// Carries the receipts of map tasks through the shuffle to the driver, where standard output belongs to their records.
//
// After its trailers a map task sends one more record, with the key FF FF FF FF, to the partition (its number mod
// partitions): its receipt, as a line (runtime/job/receipt_text.h). The reducer there passes it on together with its
// own. So the committed records of a map task and its receipt always belong to the same attempt.
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
  // The caller owns `groups`, which outlives this object.
  explicit ReceiptTap(GroupStream* groups) : groups_(groups) {}

  arrow::Result<bool> NextGroup() override;
  std::string_view key() const override { return groups_->key(); }
  arrow::Result<bool> NextValue(std::string_view* value) override { return groups_->NextValue(value); }

  // The lines that came; complete once NextGroup has returned false.
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  GroupStream* const groups_;
  std::vector<std::string> lines_;
  bool at_end_ = false;
};

}  // namespace trawl
