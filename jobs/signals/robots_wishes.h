// What the robots.txt of a URL's origin says about the use of its content (Content-Signal), while somebody walks the
// urls table. The last good copy counts, however old it is. One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow/result.h"
#include "formats/rows/robots_row.h"
#include "formats/url/slot_range.h"
#include "runtime/job/task.h"
#include "runtime/tables/row_finder.h"

namespace trawl {

class RobotsWishes {
 public:
  // For the URLs of these slots; `agent` is the crawler's name in robots.txt.
  static arrow::Result<RobotsWishes> Open(TaskContext& context, SlotRange slots, std::string agent);

  // "ai-train=no, search=yes"; empty: nothing. REQUIRES: keys come in the order of the table. Valid until the next call.
  arrow::Result<std::string_view> For(std::string_view url_key);

 private:
  RobotsWishes(RowFinder<RobotsRow> robots, std::string agent) : robots_(std::move(robots)), agent_(std::move(agent)) {}

  RowFinder<RobotsRow> robots_;
  std::string agent_;
  std::vector<std::string> lines_;  // of the robots.txt of the last key
  std::string url_;
  std::string text_;
};

}  // namespace trawl
