// What holds hosts back beside what their rows note: days that are full, and robots.txt that is awaited. One thread.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "arrow/result.h"
#include "formats/rows/host_row.h"
#include "formats/rows/robots_row.h"
#include "jobs/policy/generate_options.h"
#include "jobs/policy/robots_options.h"
#include "jobs/views/views.h"
#include "runtime/process/clock.h"
#include "runtime/tables/row_walk.h"

namespace trawl {

struct HostHold {
  std::string kind;     // as generate counts it: dead_host, robots_deferred, day_is_full, host_is_full
  TimeMs until_ms = 0;  // kNever: not by itself
  std::string text;
};

// One pass over the robots table beside that of the hosts.
class HoldWalk {
 public:
  static arrow::Result<HoldWalk> Open(const View& view, SlotRange slots, TimeMs now_ms);
  // Memory that it takes.
  static arrow::Result<int64_t> BytesToRead(const View& view);

  // The one that lasts longest. REQUIRES: hosts come in the order of their table.
  arrow::Result<std::optional<HostHold>> Find(const HostRow& host);

 private:
  HoldWalk(RowWalk robots, TimeMs now_ms) : robots_(std::move(robots)), now_ms_(now_ms) {}

  RowWalk robots_;
  const TimeMs now_ms_;
  GenerateOptions generate_;
  RobotsOptions options_;
  std::string origins_;
  RobotsRow row_;
};

}  // namespace trawl
