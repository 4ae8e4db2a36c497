// What the tables say of hosts, as generate asks: its row, and how long its robots.txt wants to be left alone. One
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/host_row.h"
#include "formats/robots_row.h"
#include "runtime/row_walk.h"
#include "runtime/task.h"

namespace trawl {

class HostFacts {
 public:
  // `agent`: the product token whose rules count.
  static arrow::Result<HostFacts> Open(const TaskContext& context, SlotRange slots, std::string agent);

  // `*row` has nothing but its key where the table has none. The Crawl-delay is the longest of the host's origins.
  // REQUIRES: hosts come in the order of the tables.
  arrow::Status Find(uint32_t slot, std::string_view host, HostRow* row, std::optional<int64_t>* crawl_delay_ms);

 private:
  HostFacts(RowWalk hosts, RowWalk robots, std::string agent)
      : hosts_(std::move(hosts)), robots_(std::move(robots)), agent_(std::move(agent)) {}

  RowWalk hosts_;
  RowWalk robots_;
  std::string agent_;
  std::string origins_;
  RobotsRow robots_row_;
};

// The same as RobotsRules::Parse(…).crawl_delay_ms(), but cheap where the text, as most do, has none.
std::optional<int64_t> CrawlDelayOf(std::string_view robots_text, std::string_view agent);

}  // namespace trawl
