// Updates the robots rows of a reducer of updatedb: makes the new row of each origin from the table's row and from the
// segment's observations. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/rows/robots_row.h"
#include "jobs/refresh/refresh.h"
#include "jobs/updatedb/url_event.h"
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

  // What the round showed of the URL's origin; null where the last group was of another one.
  const OriginNews* NewsFor(std::string_view url_key) const;
  // The text of the URL's robots.txt, where the last group brought a newer one; else null.
  const std::string* TextFor(std::string_view url_key) const;

 private:
  RobotsUpdates(TaskContext& context, RunWriter<RobotsRow>* run, std::shared_ptr<const Table> table,
                const RefreshOptions& refresh, int64_t round_ms)
      : run_(run),
        table_(std::move(table)),
        written_(context.counters()["robots"]),
        refresh_(refresh),
        round_ms_(round_ms) {}

  RunWriter<RobotsRow>* const run_;
  KnownRows<RobotsRow> table_;
  int64_t& written_;
  const RefreshOptions refresh_;
  const int64_t round_ms_;
  // The last group.
  std::string origin_;
  OriginNews news_;
  std::optional<std::string> text_;
  // Reused for every group.
  RobotsRow row_;
  RobotsRow newest_;
};

}  // namespace trawl
