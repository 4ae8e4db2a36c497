#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "jobs/graph/harmonic.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Registers are taken in groups: one instruction's worth.
using Lane = uint8_t __attribute__((vector_size(16)));

using Registers = std::vector<uint8_t>;

void TakeMaximum(const uint8_t* from, uint8_t* to, size_t registers) {
  for (size_t i = 0; i < registers; i += sizeof(Lane)) {
    Lane a, b;
    std::memcpy(&a, from + i, sizeof a);
    std::memcpy(&b, to + i, sizeof b);
    b = a > b ? a : b;
    std::memcpy(to + i, &b, sizeof b);
  }
}

// Counters lie far apart in memory. So they are asked for some edges ahead, and taken when they are there.
class Follower {
 public:
  Follower(const uint8_t* now, uint8_t* next, size_t registers) : now_(now), next_(next), registers_(registers) {}
  ~Follower() { Flush(); }
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  void Follow(uint32_t from, uint32_t to) {
    constexpr size_t kLine = 64;
    const uint8_t* const a = now_ + from * registers_;
    uint8_t* const b = next_ + to * registers_;
    for (size_t i = 0; i < registers_; i += kLine) {
      __builtin_prefetch(a + i);
      __builtin_prefetch(b + i, 1);
    }
    waiting_[count_++] = {a, b};
    if (count_ == waiting_.size()) Flush();
  }

 private:
  void Flush() {
    for (size_t i = 0; i < count_; ++i) TakeMaximum(waiting_[i].from, waiting_[i].to, registers_);
    count_ = 0;
  }

  struct Edge {
    const uint8_t* from;
    uint8_t* to;
  };
  const uint8_t* const now_;
  uint8_t* const next_;
  const size_t registers_;
  std::array<Edge, 32> waiting_;
  size_t count_ = 0;
};

// Reads a counter.
class Estimator {
 public:
  explicit Estimator(size_t registers) : registers_(registers), size_(static_cast<double>(registers)) {
    for (size_t i = 0; i < powers_.size(); ++i) powers_[i] = std::ldexp(1.0, -static_cast<int>(i));
    const double alpha = registers == 16   ? 0.673
                         : registers == 32 ? 0.697
                         : registers == 64 ? 0.709
                                           : 0.7213 / (1 + 1.079 / size_);
    factor_ = alpha * size_ * size_;
  }

  double operator()(const uint8_t* counter) const {
    double sum = 0;
    int zeros = 0;
    for (size_t i = 0; i < registers_; ++i) {
      sum += powers_[counter[i]];
      zeros += counter[i] == 0 ? 1 : 0;
    }
    const double estimate = factor_ / sum;
    // Few hosts: the empty registers say more.
    return estimate <= 2.5 * size_ && zeros > 0 ? size_ * std::log(size_ / zeros) : estimate;
  }

 private:
  const size_t registers_;
  const double size_;
  double factor_ = 0;
  std::array<double, 66> powers_{};
};

}  // namespace

double ErrorOfHyperBall(int registers) { return 1.04 / std::sqrt(registers); }

Result<Harmonics> HyperBall(const NumberedEdges& edges, std::span<const uint64_t> hashes, int registers, int threads,
                            const StopToken& stop) {
  const size_t hosts = edges.hosts();
  const auto size = static_cast<size_t>(registers);
  const int bits = std::countr_zero(static_cast<unsigned>(registers));
  const Estimator estimate(size);
  Registers now = LargeVector<uint8_t>(hosts * size), next = LargeVector<uint8_t>(hosts * size);
  std::vector<uint8_t> is_new(hosts, 1), becomes_new(hosts);  // whether a host's counter grew in the last step
  std::vector<double> counted(hosts);                         // what the counter said last
  for (size_t host = 0; host < hosts; ++host) {
    const uint64_t rest = hashes[host] << bits | uint64_t{1} << (bits - 1);
    now[host * size + (hashes[host] >> (64 - bits))] = static_cast<uint8_t>(std::countl_zero(rest) + 1);
  }
  Harmonics result = {.value = std::vector<double>(hosts)};
  for (int step = 1;; ++step) {
    std::vector<uint8_t> grew(edges.ranges());
    const auto walk = [&](size_t range) -> Status {
      ARROW_RETURN_NOT_OK(stop.Check());
      const size_t begin = edges.BeginOfRange(range), end = edges.EndOfRange(range);
      std::memcpy(&next[begin * size], &now[begin * size], (end - begin) * size);
      {
        Follower follower(now.data(), next.data(), size);
        ARROW_RETURN_NOT_OK(edges.ForEach(range, [&](uint32_t from, uint32_t to) {
          if (is_new[from] != 0) follower.Follow(from, to);
        }));
      }
      for (size_t host = begin; host < end; ++host) {
        const bool grows = std::memcmp(&next[host * size], &now[host * size], size) != 0;
        becomes_new[host] = grows ? 1 : 0;
        if (step == 1) result.value[host] = edges.in()[host];
        if (!grows && step > 1) continue;
        const double count = estimate(&next[host * size]);
        if (step > 1) result.value[host] += std::max(0.0, count - counted[host]) / step;
        counted[host] = std::max(count, counted[host]);
        grew[range] = 1;
      }
      return Status::OK();
    };
    ARROW_RETURN_NOT_OK(OnThreads(threads, edges.ranges(), walk));
    now.swap(next);
    is_new.swap(becomes_new);
    if (std::find(is_new.begin(), is_new.end(), 1) == is_new.end()) return result;
    result.steps = step;
  }
}

}  // namespace trawl
