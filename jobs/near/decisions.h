// Decides one content after the other, in the order of representatives: it is near the nearest content that stands for near
// ones, in the table or decided before it, or it stands itself. One thread; used by jobs/settle/near_job.cc.
//
// The fingerprints of those that stand are in memory, up to a number. When there are more, the contents after them wait on
// local disk with the best match so far, and are decided against the next ones in another pass. So memory is bounded, and
// the answer is the same.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrow/status.h"
#include "formats/digests/text_sketch.h"
#include "formats/rows/settle_rows.h"
#include "jobs/near/near.h"
#include "jobs/near/search.h"
#include "jobs/near/spilled_rows.h"
#include "runtime/process/stop.h"

namespace trawl {

// A content to decide, and the best match in the table; without a content: none.
struct ContentTurn {
  SettledContentRow content;
  NearMatch match;
};

struct NearDecisionsOptions {
  int distance = 3;
  std::string temp_folder;
  size_t most_in_memory = 6'000'000;  // some 600 MB
  // Whether texts also have to pass MayBeCopies (formats/digests/text_sketch.h).
  bool second_look = false;
};

class NearDecisions {
 public:
  // `decided` takes each content once, with what stands for it (without a content: it stands itself).
  NearDecisions(NearDecisionsOptions options, const StopToken& stop,
                std::function<arrow::Status(const ContentTurn&)> decided);

  // REQUIRES: contents come in the order of representatives.
  arrow::Status Add(ContentTurn turn);
  arrow::Status Finish();

 private:
  arrow::Status MatchInMemory(ContentTurn* turn) const;
  arrow::Status Wait(const ContentTurn& turn);
  void BeginPass();

  const NearDecisionsOptions options_;
  const StopToken& stop_;
  const std::function<arrow::Status(const ContentTurn&)> decided_;
  std::unique_ptr<FingerprintIndex> standing_;
  std::vector<TextSketch> sketches_;    // of those that stand, with a second look
  std::unique_ptr<SpilledRows> texts_;  // of those that stand: what a match says
  std::vector<int64_t> places_;         // in texts_
  std::unique_ptr<SpilledRows> waiting_;
};

}  // namespace trawl
