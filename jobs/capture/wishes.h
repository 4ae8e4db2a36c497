// Why a capture is left out of an archive: what its page, its header fields and its host's robots.txt ask for, and which
// of that --respect names; or that its unavailable_after has passed. --respect none leaves nothing out. One thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrow/result.h"
#include "formats/rows/fetch_row.h"
#include "formats/rows/url_row.h"
#include "jobs/capture/parse_facts.h"
#include "jobs/segment/pages.h"
#include "jobs/signals/respect.h"
#include "runtime/job/task.h"
#include "runtime/tables/table.h"

namespace trawl {

class CaptureWishes {
 public:
  // Of a segment's captures, judged at `as_of_ms`. `context` outlives the object.
  static arrow::Result<std::unique_ptr<CaptureWishes>> Open(TaskContext* context, const std::string& segment,
                                                            int64_t as_of_ms);

  // The signal that leaves the capture out, or "unavailable_after"; null where nothing does. `listed`: the row of the URL in the fetch list; null
  // for a redirect's target. REQUIRES: fetched or not modified.
  arrow::Result<const char*> LeftOutBy(const FetchRow& row, const UrlRow* listed);

 private:
  CaptureWishes(TaskContext* context, int64_t as_of_ms, ParseFacts facts)
      : context_(*context), as_of_ms_(as_of_ms), facts_(std::move(facts)), pages_(context->store()) {}
  arrow::Result<int32_t> OfRobots(const std::string& key);
  // The unavailable_after of the page that the row's body holds; 0: none.
  arrow::Result<int64_t> ExpiryOf(const UrlRow& known);

  TaskContext& context_;
  const int64_t as_of_ms_;
  Respect respect_;
  bool leaves_nothing_out_ = false;
  std::string agent_;
  bool asks_robots_ = false;  // robots.txt can say something that is respected
  ParseFacts facts_;
  NewestPages pages_;
  std::shared_ptr<const Table> robots_;
  std::map<std::string, std::vector<std::string>> lines_;  // Content-Signal lines, by origin
  std::map<std::string, std::unique_ptr<SegmentPages>> segments_;
  // Rows with an unavailable_after, which are few, by segment and file of parse.
  std::map<std::pair<std::string, std::string>, std::map<int64_t, int64_t>> expiries_;
};

}  // namespace trawl
