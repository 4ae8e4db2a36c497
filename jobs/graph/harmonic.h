// Incoming harmonic centrality of hosts: the sum of 1 / distance over all other hosts from which a host can be reached by
// links. Exact, or estimated by HyperBall. Neither depends on the number of threads. Any thread.
//
// HyperBall (Boldi, Vigna 2013) counts, for every host and distance t, the hosts that reach it within t steps, by a
// HyperLogLog counter (Flajolet and others 2007): the hosts' hashes are thrown into registers by their first bits, and each
// register keeps the longest run of zeros that it saw. The counter of a host and t + 1 is the maximum, register by
// register, of its own and of those of the hosts that link to it. With m registers the relative standard error of a count
// is 1.04 / sqrt(m). The first step, the hosts that link to it, is counted exactly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arrow/result.h"
#include "jobs/graph/numbered_edges.h"
#include "runtime/process/stop.h"

namespace trawl {

// Up to here each host is reached from each. More edges would not fit into memory either.
inline constexpr uint32_t kMostExactHosts = 20'000;
inline constexpr int64_t kMostExactEdges = 50'000'000;

struct Harmonics {
  std::vector<double> value;  // by host
  int steps = 0;              // the longest distance
};

// A search from 64 hosts at a time. Memory: 4 bytes per edge.
arrow::Result<Harmonics> ExactHarmonics(const NumberedEdges& edges, int threads, const StopToken& stop);

// `hashes` are those of the hosts; `registers` is a power of two from 16 to 4096. Memory: 2 × registers + 18 bytes per host.
arrow::Result<Harmonics> HyperBall(const NumberedEdges& edges, std::span<const uint64_t> hashes, int registers,
                                   int threads, const StopToken& stop);
// The relative standard error of its counts.
double ErrorOfHyperBall(int registers);

}  // namespace trawl
