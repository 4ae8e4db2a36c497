// Reads the rows of single contents in digests, whose order ascends. One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/rows/settle_rows.h"
#include "formats/rows/some_columns.h"
#include "formats/url/key.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

class ContentRows {
 public:
  // `wanted` as for a scan.
  static arrow::Result<std::unique_ptr<ContentRows>> Open(const std::shared_ptr<const Table>& digests,
                                                          const SlotRange& slots, std::vector<bool> wanted = {}) {
    auto rows = std::make_unique<ContentRows>();
    const ScanOptions scan = {.slots = slots, .wanted = std::move(wanted), .batch_rows = 1024};
    ARROW_ASSIGN_OR_RAISE(rows->scan_, MergeScan::Open(digests, scan));
    return rows;
  }

  // Goes to the first row of a content, its head. REQUIRES: contents come in the order of the table.
  arrow::Status GoTo(std::string_view content) {
    head_.assign(content).append(")");
    const RowPlace place = {SlotOfKey(head_), head_};
    while (at_ < span_.end && PlaceAt(at_) < place) ++at_;
    if (at_ < span_.end || is_over_) return arrow::Status::OK();
    return scan_->SkipTo(place);
  }
  // Reads the next row of the content, without its fields that are not wanted; false after the last one.
  arrow::Result<bool> Next(DigestRow* row) {
    while (at_ == span_.end) {
      if (is_over_) return false;
      ARROW_ASSIGN_OR_RAISE(const bool more, scan_->Next(&span_));
      is_over_ = !more;
      at_ = more ? span_.begin : span_.end;
    }
    if (!KeyAt(at_).starts_with(head_)) return false;
    ReadFromBatch(*span_.batch, at_++, row);
    return true;
  }

 private:
  std::string_view KeyAt(int64_t at) const { return span_.batch->columns[ColumnIndex<DigestRow>("key")].GetBytes(at); }
  RowPlace PlaceAt(int64_t at) { return {slot_of_(KeyAt(at)), KeyAt(at)}; }

  std::unique_ptr<MergeScan> scan_;
  std::string head_;
  SlotOfKeys slot_of_;
  RowSpan span_;
  int64_t at_ = 0;
  bool is_over_ = false;
};

}  // namespace trawl
