#include "jobs/updatedb/origin_sweep.h"

#include <utility>

#include "runtime/tables/table.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Status OriginSweep::Begin(RowPlace origin) {
  is_under_way_ = true;
  slot_ = origin.slot;
  prefix_.assign(origin.key).push_back('/');
  left_out_.clear();
  if (!walk_) {
    ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<UrlRow>(context_.store(), context_.snapshot()));
    SlotRange rest;
    rest.begin = slot_;
    ARROW_ASSIGN_OR_RAISE(RowWalk walk, RowWalk::Open(std::move(table), {.slots = rest}));
    walk_.emplace(std::move(walk));
  }
  return walk_->SeekTo({slot_, prefix_});
}

Result<bool> OriginSweep::Next(RowPlace place, UrlRow* row) {
  while (is_under_way_) {
    if (walk_->at_end() || !walk_->key().starts_with(prefix_)) {
      is_under_way_ = false;
      break;
    }
    if (!(RowPlace{slot_, walk_->key()} < place)) {
      left_out_.assign(place.key);
      return false;
    }
    const bool is_left_out = walk_->key() == left_out_;
    if (!is_left_out) walk_->Read(row);
    ARROW_RETURN_NOT_OK(walk_->Next());
    if (!is_left_out) return true;
  }
  return false;
}

}  // namespace trawl
