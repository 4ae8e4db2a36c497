#include "jobs/sums/answer_times.h"

#include <algorithm>
#include <numeric>

#include "jobs/sums/asked.h"

namespace trawl {

namespace {

using Names = std::array<std::string, AnswerTimes::kBoundsMs.size() + 1>;

const Names& CounterNames() {
  static const Names names = [] {
    Names made;
    for (size_t i = 0; i < AnswerTimes::kBoundsMs.size(); ++i) {
      made[i] = "answers_in." + std::to_string(AnswerTimes::kBoundsMs[i]);
    }
    made.back() = "answers_in.more";
    return made;
  }();
  return names;
}

}  // namespace

const std::string& AnswerBucketCounter(int64_t ms) {
  const auto bound = std::lower_bound(AnswerTimes::kBoundsMs.begin(), AnswerTimes::kBoundsMs.end(), ms);
  return CounterNames()[static_cast<size_t>(bound - AnswerTimes::kBoundsMs.begin())];
}

void AnswerTimes::AddCounters(const Json& counters) {
  for (size_t i = 0; i < counts.size(); ++i) counts[i] += BoundedCounter(counters, CounterNames()[i].c_str());
  sum_ms += BoundedCounter(counters, kAnswersMsCounter);
}

void AnswerTimes::Add(const AnswerTimes& other) {
  for (size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
  sum_ms += other.sum_ms;
}

int64_t AnswerTimes::answers() const { return std::accumulate(counts.begin(), counts.end(), int64_t{0}); }

}  // namespace trawl
