#include "jobs/graph/pagerank.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Ranges that a thread computes at once, at most: 4 MiB of vector, which lies in the processor's caches beside that of the
// other threads.
constexpr size_t kRangesAtOnce = 8;

// Sums of one range of hosts. They are added up in the order of the ranges, so that threads do not change a bit.
struct RangeSums {
  double change = 0;
  double dangling = 0;  // the rank of hosts that link to no other
  double all = 0;
};

RangeSums Total(const std::vector<RangeSums>& ranges) {
  RangeSums total;
  for (const RangeSums& range : ranges) {
    total.change += range.change;
    total.dangling += range.dangling;
    total.all += range.all;
  }
  return total;
}

// Room for what the hosts of some ranges get, for each thread. It is taken again and again, so it stays in the caches.
class Rooms {
 public:
  Rooms(size_t threads, size_t hosts) : space_(LargeVector<double>(threads * hosts)) {
    for (size_t i = 0; i < threads; ++i) free_.push_back(&space_[i * hosts]);
  }
  double* Take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    double* const room = free_.back();
    free_.pop_back();
    return room;
  }
  void Give(double* room) {
    const std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(room);
  }

 private:
  std::vector<double> space_;
  std::mutex mutex_;
  std::vector<double*> free_;
};

// The hosts of the ranges [begin, end) get their new ranks. The ranges go through the sources together, window by window:
// so the shares are read from memory once for all of them.
Status FollowEdges(const NumberedEdges& edges, size_t begin, size_t end, const std::vector<double>& share, double base,
                   double damping, std::vector<double>* rank, std::vector<RangeSums>* sums, double* got) {
  constexpr uint32_t kWindow = 1 << 15;
  const uint32_t first = edges.BeginOfRange(begin);
  std::fill(got, got + (edges.EndOfRange(end - 1) - first), 0.0);
  std::vector<NumberedEdges::Walk> walks;
  for (size_t range = begin; range < end; ++range) walks.emplace_back(edges, range);
  for (uint64_t limit = kWindow; limit < edges.hosts() + uint64_t{kWindow}; limit += kWindow) {
    for (NumberedEdges::Walk& walk : walks) {
      ARROW_RETURN_NOT_OK(walk.UpTo(static_cast<uint32_t>(std::min<uint64_t>(limit, UINT32_MAX)),
                                    [&](uint32_t from, uint32_t to) { got[to - first] += share[from]; }));
    }
  }
  for (size_t range = begin; range < end; ++range) {
    for (uint32_t host = edges.BeginOfRange(range); host < edges.EndOfRange(range); ++host) {
      const double next = base + damping * got[host - first];
      (*sums)[range].change += std::abs(next - (*rank)[host]);
      (*rank)[host] = next;
    }
  }
  return Status::OK();
}

}  // namespace

Result<PageRanks> PageRankOf(const NumberedEdges& edges, const PageRankOptions& options, const StopToken& stop) {
  const size_t hosts = edges.hosts();
  PageRanks ranks;
  if (hosts == 0) return ranks;
  const double d = options.damping;
  std::vector<double>& rank = ranks.rank;
  rank = LargeVector<double>(hosts);
  std::fill(rank.begin(), rank.end(), 1.0 / static_cast<double>(hosts));
  std::vector<double> share = LargeVector<double>(hosts);  // what each target of a host gets of its rank
  std::vector<RangeSums> sums(edges.ranges());
  const auto threads = static_cast<size_t>(std::max(options.threads, 1));
  const size_t at_once = std::min(kRangesAtOnce, (edges.ranges() + threads - 1) / threads);
  Rooms rooms(threads, at_once * NumberedEdges::kTargetsARange);
  const auto share_out = [&](size_t range) {
    for (uint32_t host = edges.BeginOfRange(range); host < edges.EndOfRange(range); ++host) {
      const uint32_t out = edges.out()[host];
      if (out == 0) sums[range].dangling += rank[host];
      if (out > 0) share[host] = rank[host] / out;
    }
    return Status::OK();
  };
  ARROW_RETURN_NOT_OK(OnThreads(options.threads, edges.ranges(), share_out));
  double dangling = Total(sums).dangling;
  ranks.error = 1;
  while (ranks.iterations < options.most_iterations && ranks.error > options.error) {
    ARROW_RETURN_NOT_OK(stop.Check());
    ++ranks.iterations;
    const double base = ((1 - d) + d * dangling) / static_cast<double>(hosts);
    sums.assign(edges.ranges(), {});
    const auto follow = [&](size_t group) {
      const size_t begin = group * at_once, end = std::min(begin + at_once, edges.ranges());
      double* const room = rooms.Take();
      const Status followed = FollowEdges(edges, begin, end, share, base, d, &rank, &sums, room);
      rooms.Give(room);
      return followed;
    };
    ARROW_RETURN_NOT_OK(OnThreads(options.threads, (edges.ranges() + at_once - 1) / at_once, follow));
    ARROW_RETURN_NOT_OK(OnThreads(options.threads, edges.ranges(), share_out));
    const RangeSums total = Total(sums);
    dangling = total.dangling;
    // Each further step changes at most d times as much as the one before.
    ranks.error = d < 1 ? total.change * d / (1 - d) : total.change;
  }
  double all = 0;
  for (const double one : rank) all += one;
  for (double& one : rank) one /= all;
  return ranks;
}

}  // namespace trawl
