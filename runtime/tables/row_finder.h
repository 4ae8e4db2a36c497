// Finds the rows of a table for keys that come in its order, as whoever walks another table along the same hosts asks for
// them: again and again for the same one. One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "formats/url/key.h"
#include "runtime/tables/row_walk.h"

namespace trawl {

template <typename Row>
class RowFinder {
 public:
  // `options` as for a scan.
  static arrow::Result<RowFinder> Open(std::shared_ptr<const Table> table, const ScanOptions& options) {
    ARROW_ASSIGN_OR_RAISE(RowWalk walk, RowWalk::Open(std::move(table), options));
    return RowFinder(std::move(walk));
  }

  // The row of the key; null where there is none. Valid until another key is asked for. `is_other`: whether the key is not
  // that of the call before.
  arrow::Result<const Row*> For(std::string_view key, bool* is_other = nullptr) {
    if (is_other != nullptr) *is_other = key != key_ || !was_asked_;
    if (was_asked_ && key == key_) return found_ ? &row_ : nullptr;
    was_asked_ = true;
    key_.assign(key);
    ARROW_RETURN_NOT_OK(walk_.SeekTo({SlotOfKey(key_), key_}));
    found_ = !walk_.at_end() && walk_.key() == key_;
    if (found_) walk_.Read(&row_);
    return found_ ? &row_ : nullptr;
  }

 private:
  explicit RowFinder(RowWalk walk) : walk_(std::move(walk)) {}

  RowWalk walk_;
  bool was_asked_ = false;
  bool found_ = false;
  std::string key_;
  Row row_;
};

}  // namespace trawl
