#include "runtime/streaming/carried_receipts.h"

#include "runtime/job/receipt_text.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Status CarryReceipt(const TaskReceipt& receipt, int partitions, RecordSink* sink) {
  return sink->Emit(receipt.id.number % partitions, kReceiptKey, ReceiptLine(receipt));
}

Result<bool> ReceiptTap::NextGroup() {
  if (at_end_) return false;
  ARROW_ASSIGN_OR_RAISE(const bool more, groups_->NextGroup());
  if (more && groups_->key() < kReceiptKey) return true;
  at_end_ = true;
  if (!more) return false;
  if (groups_->key() != kReceiptKey) return Status::IOError("a key that sorts after the receipts");
  std::string_view line;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool another, groups_->NextValue(&line));
    if (!another) break;
    lines_.emplace_back(line);
  }
  ARROW_ASSIGN_OR_RAISE(const bool behind, groups_->NextGroup());
  if (behind) return Status::IOError("a group after the receipts");
  return false;
}

}  // namespace trawl
