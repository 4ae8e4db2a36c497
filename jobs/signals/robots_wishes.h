// What the robots.txt of a URL's origin says about the use of its content (Content-Signal), while somebody walks the
// urls table. The last good copy counts, however old it is. One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow/result.h"
#include "formats/url/slot_range.h"
#include "runtime/job/task.h"
#include "runtime/tables/row_walk.h"

namespace trawl {

class RobotsWishes {
 public:
  // For the URLs of these slots; `agent` is the crawler's name in robots.txt.
  static arrow::Result<RobotsWishes> Open(TaskContext& context, SlotRange slots, std::string agent);

  // "ai-train=no, search=yes"; empty: nothing. REQUIRES: keys come in the order of the table. Valid until the next call.
  arrow::Result<std::string_view> For(std::string_view url_key);

 private:
  RobotsWishes(RowWalk walk, std::string agent) : walk_(std::move(walk)), agent_(std::move(agent)) {}
  arrow::Status GoTo(std::string_view origin);

  RowWalk walk_;
  std::string agent_;
  std::string origin_;              // of the last key
  std::vector<std::string> lines_;  // of its robots.txt
  std::string url_;
  std::string text_;
};

}  // namespace trawl
