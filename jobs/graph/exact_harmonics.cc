#include <algorithm>
#include <bit>

#include "jobs/graph/harmonic.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Searches that run on threads of their own. Their number is fixed, so that sums are always made in the same order.
constexpr size_t kSearches = 16;
constexpr uint32_t kHostsAtOnce = 64;

// For each host the hosts that it links to.
struct Targets {
  std::vector<int64_t> begin;
  std::vector<uint32_t> of;
};

Result<Targets> TargetsOf(const NumberedEdges& edges) {
  Targets targets;
  targets.begin.resize(edges.hosts() + size_t{1});
  for (size_t host = 0; host < edges.hosts(); ++host) targets.begin[host + 1] = targets.begin[host] + edges.out()[host];
  targets.of.resize(static_cast<size_t>(edges.edges()));
  std::vector<int64_t> next = targets.begin;
  for (size_t range = 0; range < edges.ranges(); ++range) {
    ARROW_RETURN_NOT_OK(
        edges.ForEach(range, [&](uint32_t from, uint32_t to) { targets.of[static_cast<size_t>(next[from]++)] = to; }));
  }
  return targets;
}

// Goes from up to 64 hosts at once, a bit for each.
class Search {
 public:
  Search(const Targets& targets, size_t hosts)
      : targets_(targets), seen_(hosts), here_(hosts), next_(hosts), harmonic_(hosts) {}

  const std::vector<double>& harmonic() const { return harmonic_; }
  int steps() const { return steps_; }

  void Run(uint32_t begin, uint32_t end) {
    std::fill(seen_.begin(), seen_.end(), 0);
    at_.clear();
    for (uint32_t host = begin; host < end; ++host) {
      seen_[host] = here_[host] = uint64_t{1} << (host - begin);
      at_.push_back(host);
    }
    for (int distance = 1; !at_.empty(); ++distance) Step(distance);
  }

 private:
  void Step(int distance) {
    reached_.clear();
    for (const uint32_t from : at_) {
      const uint64_t bits = here_[from];
      here_[from] = 0;
      const auto end = static_cast<size_t>(targets_.begin[from + size_t{1}]);
      for (auto i = static_cast<size_t>(targets_.begin[from]); i < end; ++i) {
        const uint32_t to = targets_.of[i];
        const uint64_t fresh = bits & ~seen_[to];
        if (fresh == 0) continue;
        if (next_[to] == 0) reached_.push_back(to);
        next_[to] |= fresh;
      }
    }
    for (const uint32_t to : reached_) {
      seen_[to] |= next_[to];
      harmonic_[to] += static_cast<double>(std::popcount(next_[to])) / distance;
    }
    if (!reached_.empty()) steps_ = std::max(steps_, distance);
    here_.swap(next_);
    at_.swap(reached_);
  }

  const Targets& targets_;
  std::vector<uint64_t> seen_, here_, next_;  // a bit for each search
  std::vector<uint32_t> at_, reached_;
  std::vector<double> harmonic_;
  int steps_ = 0;
};

}  // namespace

Result<Harmonics> ExactHarmonics(const NumberedEdges& edges, int threads, const StopToken& stop) {
  ARROW_ASSIGN_OR_RAISE(const Targets targets, TargetsOf(edges));
  const uint32_t hosts = edges.hosts();
  std::vector<Harmonics> parts(kSearches);
  const auto run = [&](size_t part) -> Status {
    Search search(targets, hosts);
    for (uint64_t begin = part * kHostsAtOnce; begin < hosts; begin += kSearches * kHostsAtOnce) {
      ARROW_RETURN_NOT_OK(stop.Check());
      search.Run(static_cast<uint32_t>(begin), static_cast<uint32_t>(std::min<uint64_t>(begin + kHostsAtOnce, hosts)));
    }
    parts[part] = {search.harmonic(), search.steps()};
    return Status::OK();
  };
  ARROW_RETURN_NOT_OK(OnThreads(threads, kSearches, run));
  Harmonics all = {.value = std::vector<double>(hosts)};
  for (const Harmonics& part : parts) {
    for (size_t host = 0; host < hosts; ++host) all.value[host] += part.value[host];
    all.steps = std::max(all.steps, part.steps);
  }
  return all;
}

}  // namespace trawl
