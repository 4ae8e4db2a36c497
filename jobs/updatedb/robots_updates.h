// Updates the robots rows of a reducer of updatedb: makes the new row of each origin from the table's row and from the
// segment's observations. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/rows/robots_row.h"
#include "runtime/job/task.h"
#include "runtime/shuffle/record_stream.h"
#include "runtime/tables/known_rows.h"

namespace trawl {

class RobotsUpdates {
 public:
  static arrow::Result<std::unique_ptr<RobotsUpdates>> Open(TaskContext& context);

  // Takes the group of an origin and writes its row where that has changed. REQUIRES: groups come in the order of the
  // table.
  arrow::Status Reduce(RowPlace place, GroupStream& groups);

  // How often in a row the robots.txt of that URL could not be reached; 0 where the last group was of another origin.
  int32_t FailuresFor(std::string_view url_key) const;

 private:
  RobotsUpdates(TaskContext& context, RunWriter<RobotsRow>* run, std::shared_ptr<const Table> table)
      : run_(run), table_(std::move(table)), written_(context.counters()["robots"]) {}

  RunWriter<RobotsRow>* const run_;
  KnownRows<RobotsRow> table_;
  int64_t& written_;
  // The last group.
  std::string origin_;
  int32_t failures_ = 0;
  // Reused for every group.
  RobotsRow row_;
  RobotsRow newest_;
};

}  // namespace trawl
