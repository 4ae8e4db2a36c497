// Sorts the URLs of orders of seeds, before their job runs: which are new to the crawl, which it knows, which are bad. The
// job on the same snapshot does the same. One thread.
//
// Each order is answered as if the orders had come one after another: a URL that two orders name is new in the first and known in
// the second, and what the second says of it does not count.
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "jobs/writes/batch_order.h"
#include "jobs/writes/robots_word.h"
#include "runtime/job/plan.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"

namespace trawl {

struct SortedSeeds {
  int64_t queued = 0;  // different URLs that are new
  int64_t known = 0;   // different URLs that the crawl has, or an order before this one
  Json bad = Json::array();
  Json robots = Json::array();  // of the URLs that are not bad, in their order
};

struct SortedBatch {
  std::vector<SortedSeeds> orders;  // as in the batch
  std::vector<std::string> lines;   // of inject
};

// `plan` has the scope (PlanScope). REQUIRES: the batch has orders of seeds.
arrow::Result<SortedBatch> SortSeeds(Store* store, const Manifest& snapshot, const Plan& plan,
                                     const RobotsReading& reading, const std::vector<BatchOrder>& batch,
                                     const StopToken& stop);

// The line by which inject takes a URL of the order.
std::string LineOfSeed(const SeedOrder& order, const std::string& url);

}  // namespace trawl
