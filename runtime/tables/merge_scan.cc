#include "runtime/tables/merge_scan.h"

#include <algorithm>

namespace trawl {

using arrow::Result;
using arrow::Status;

MergeScan::MergeScan(std::shared_ptr<const Table> table, const ScanOptions& options)
    : table_(std::move(table)),
      options_(options),
      removed_column_(static_cast<size_t>(table_->ColumnNumber("removed"))),
      to_(options_.to_key.empty() ? RowPlace{options_.slots.end, ""}
                                  : RowPlace{options_.slots.begin, options_.to_key}) {}

Result<std::unique_ptr<MergeScan>> MergeScan::Open(std::shared_ptr<const Table> table, const ScanOptions& options) {
  std::unique_ptr<MergeScan> scan(new MergeScan(std::move(table), options));
  const RowPlace from = {options.slots.begin, scan->options_.from_key};
  for (size_t run = 0; run < scan->table_->runs().size(); ++run) {
    std::vector<bool> wanted = options.wanted;
    if (!wanted.empty()) {
      wanted[static_cast<size_t>(scan->table_->ColumnNumber("key"))] = true;
      if (scan->table_->runs()[run].reference.removed > 0) wanted[scan->removed_column_] = true;
    }
    auto cursor = std::make_unique<RunCursor>(scan->table_, run, std::move(wanted), options.batch_rows);
    ARROW_RETURN_NOT_OK(cursor->SeekTo(from));
    scan->cursors_.push_back(std::move(cursor));
    scan->run_of_.push_back(run);
  }
  return scan;
}

Result<bool> MergeScan::Next(RowSpan* span) {
  while (rest_.begin == rest_.end) {
    ARROW_ASSIGN_OR_RAISE(const bool more, NextVersioned(&rest_));
    if (!more) return false;
    rest_.begin = SkipFlagged(rest_, true);
  }
  *span = rest_;
  span->end = SkipFlagged(rest_, false);
  rest_.begin = span->end;
  rest_.begin = SkipFlagged(rest_, true);
  return true;
}

Status MergeScan::SkipTo(RowPlace place) {
  // The rest of the last span may still be wanted.
  if (used_ != nullptr) ARROW_RETURN_NOT_OK(used_->AdvanceTo(rest_.begin < rest_.end ? rest_.begin : used_to_));
  used_ = nullptr;
  rest_ = RowSpan();
  for (const auto& cursor : cursors_) {
    if (!cursor->at_end() && cursor->head() < place) ARROW_RETURN_NOT_OK(cursor->SkipTo(place));
  }
  return Status::OK();
}

// Returns the span's first row that is not a tombstone (`removed`), or the first that is one; where tombstones are not
// hidden, no row counts as one.
int64_t MergeScan::SkipFlagged(const RowSpan& span, bool removed) const {
  if (options_.include_removed || table_->runs()[span.run].reference.removed == 0) {
    return removed ? span.begin : span.end;
  }
  const ColumnView& flags = span.batch->columns[removed_column_];
  int64_t row = span.begin;
  while (row < span.end && (flags.Get<int8_t>(row) != 0) == removed) ++row;
  return row;
}

// Returns the next span of newest rows, tombstones included.
Result<bool> MergeScan::NextVersioned(RowSpan* span) {
  if (used_ != nullptr) ARROW_RETURN_NOT_OK(used_->AdvanceTo(used_to_));
  used_ = nullptr;
  while (true) {
    // Finds the newest of the runs at the smallest key, and the smallest key of the others.
    size_t first = cursors_.size();
    RowPlace next = to_;
    for (size_t i = 0; i < cursors_.size(); ++i) {
      if (cursors_[i]->at_end()) continue;
      const RowPlace head = cursors_[i]->head();
      if (first == cursors_.size()) {
        if (head < to_) first = i;
        continue;
      }
      const RowPlace smallest = cursors_[first]->head();
      if (head == smallest) {
        // The older version is passed as soon as its cursor advances; the newer one stays.
        ARROW_RETURN_NOT_OK(cursors_[first]->AdvanceTo(cursors_[first]->at() + 1));
        if (!cursors_[first]->at_end()) next = std::min(next, cursors_[first]->head());
        first = i;
      } else if (head < smallest) {
        next = std::min(next, smallest);
        first = i;
      } else {
        next = std::min(next, head);
      }
    }
    if (first == cursors_.size()) return false;
    RunCursor& cursor = *cursors_[first];
    const int64_t end = std::max(cursor.at() + 1, cursor.FirstNotBefore(next));
    *span = {&cursor.batch(), cursor.at(), end, run_of_[first]};
    used_ = &cursor;
    used_to_ = end;
    return true;
  }
}

}  // namespace trawl
