// PageRank of hosts: where somebody ends up who follows links at random, and now and then begins anew anywhere.
//
// An edge counts once, whatever the number of links. The rank of a host without links goes to all hosts alike. The result
// does not depend on the number of threads. Any thread.
#pragma once

#include <vector>

#include "arrow/result.h"
#include "jobs/graph/numbered_edges.h"
#include "runtime/process/stop.h"

namespace trawl {

struct PageRankOptions {
  double damping = 0.85;
  // The sum of all ranks' distances from the true ones, at most.
  double error = 1e-9;
  int most_iterations = 1000;
  int threads = 1;
};

struct PageRanks {
  std::vector<double> rank;  // by host; the sum is 1
  int iterations = 0;
  double error = 0;
};

arrow::Result<PageRanks> PageRankOf(const NumberedEdges& edges, const PageRankOptions& options, const StopToken& stop);

}  // namespace trawl
