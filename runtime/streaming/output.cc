#include "runtime/streaming/output.h"

#include <optional>

#include "runtime/job/receipt_text.h"
#include "runtime/store/path.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kMaxPartBytes = int64_t{1} << 30;
constexpr char kSuccess[] = "_SUCCESS";

// Puts receipts in their places and says which are missing.
class ReceiptBoard {
 public:
  explicit ReceiptBoard(const Plan& plan)
      : maps_(plan.parts.size()), places_(plan.parts.size() + static_cast<size_t>(plan.partitions)) {}

  Status Put(TaskReceipt receipt) {
    const auto number = static_cast<size_t>(receipt.id.number);
    const size_t most = receipt.id.is_reduce ? places_.size() - maps_ : maps_;
    if (number >= most)
      return Status::Invalid("a receipt of task ", receipt.id.Name(), ", which does not belong to the job");
    std::optional<TaskReceipt>& place = places_[receipt.id.is_reduce ? maps_ + number : number];
    if (place) return Status::Invalid("two receipts of one task, ", place->id.Name(), " and ", receipt.id.Name());
    place = std::move(receipt);
    return Status::OK();
  }

  Result<std::vector<TaskReceipt>> Take() {
    std::vector<TaskReceipt> receipts;
    for (size_t i = 0; i < places_.size(); ++i) {
      if (!places_[i]) {
        return Status::Invalid("the receipt of ", i < maps_ ? "map" : "reduce", " task ", i < maps_ ? i : i - maps_,
                               " is missing");
      }
      receipts.push_back(std::move(*places_[i]));
    }
    return receipts;
  }

 private:
  const size_t maps_;
  std::vector<std::optional<TaskReceipt>> places_;
};

}  // namespace

Result<std::vector<TaskReceipt>> ReceiptsIn(std::string_view text, const Plan& plan) {
  ReceiptBoard board(plan);
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    ARROW_ASSIGN_OR_RAISE(TaskReceipt receipt, ReceiptFromLine(line));
    ARROW_RETURN_NOT_OK(board.Put(std::move(receipt)));
  }
  return board.Take();
}

Result<std::vector<TaskReceipt>> ReadReceipts(Store* work, const std::string& folder, const Plan& plan) {
  ARROW_ASSIGN_OR_RAISE(const auto entries, work->List(folder, /*recursive=*/false));
  std::string text;
  bool committed = false;
  for (const StoreEntry& entry : entries) {
    const std::string name = NameOf(entry.path);
    committed = committed || name == kSuccess;
    if (entry.is_folder || !name.starts_with("part-")) continue;
    ARROW_ASSIGN_OR_RAISE(const std::string part, work->ReadWhole(entry.path, kMaxPartBytes));
    text += part;
  }
  if (!committed) return Status::IOError(folder, ": the job is over and its output is not there");
  const auto receipts = ReceiptsIn(text, plan);
  return receipts.ok() ? receipts : receipts.status().WithMessage(folder, ": ", receipts.status().message());
}

}  // namespace trawl
