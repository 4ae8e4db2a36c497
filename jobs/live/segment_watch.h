// An open segment as far as its chains were read. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "arrow/status.h"
#include "formats/documents/manifest.h"
#include "jobs/live/chain_log.h"
#include "jobs/live/live.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"

namespace trawl {

// How much one reading may cost.
struct LiveBudget {
  int64_t entries = 20'000;
  int64_t until_ms = 0;  // by the monotonic clock: no chain is begun later
};

class SegmentWatch {
 public:
  explicit SegmentWatch(OpenSegment segment) : segment_(std::move(segment)) {}

  arrow::Status Update(Store* store, const Clock& clock, const StopToken& stop, const LiveBudget& budget,
                       std::vector<std::string>* faults);

  const OpenSegment& segment() const { return segment_; }
  const std::vector<std::unique_ptr<ChainLog>>& chains() const { return chains_; }
  // URLs of each list.
  const std::vector<int64_t>& lists() const { return lists_; }
  bool is_fetched() const { return is_fetched_; }
  bool is_parsed() const { return is_parsed_; }
  bool is_whole() const { return is_whole_; }

 private:
  arrow::Status ReadListsOnce(Store* store);
  arrow::Status ReadSteps(Store* store);
  arrow::Status FindChains(Store* store);

  const OpenSegment segment_;
  bool has_lists_ = false;
  bool is_fetched_ = false;
  bool is_parsed_ = false;
  bool is_whole_ = true;
  std::vector<int64_t> lists_;
  std::set<int> begun_;
  std::vector<std::unique_ptr<ChainLog>> chains_;  // by list
};

}  // namespace trawl
