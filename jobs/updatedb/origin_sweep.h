// Goes through all URLs of an origin in the order of the table, beside the groups of a reducer: for news that the URLs of
// a dead host share. One thread.
#pragma once

#include <optional>
#include <string>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/rows/url_row.h"
#include "runtime/job/task.h"
#include "runtime/tables/row_walk.h"

namespace trawl {

class OriginSweep {
 public:
  // `context` must outlive it. Reads nothing before the first origin.
  explicit OriginSweep(TaskContext& context) : context_(context) {}

  // Begins with the first URL of the origin. REQUIRES: origins come in the order of the table.
  arrow::Status Begin(RowPlace origin);
  // The next URL of the origin that comes before `place`; false where there is none. The URL at `place` itself, which has
  // a group of its own, is left out from then on.
  arrow::Result<bool> Next(RowPlace place, UrlRow* row);

 private:
  TaskContext& context_;
  std::optional<RowWalk> walk_;
  bool is_under_way_ = false;
  uint32_t slot_ = 0;
  std::string prefix_;    // of the origin's keys
  std::string left_out_;  // the key of the last place
};

}  // namespace trawl
