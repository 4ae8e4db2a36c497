// The candidates of a round as a list, best first, for tests of Assign.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "jobs/select/assign.h"

namespace trawl {

class ListedCandidates : public CandidateSource {
 public:
  // In any order.
  explicit ListedCandidates(std::vector<Candidate> candidates) : candidates_(std::move(candidates)) {
    std::sort(candidates_.begin(), candidates_.end(),
              [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; });
  }
  arrow::Result<bool> Next(Candidate* candidate) override {
    if (at_ == candidates_.size()) return false;
    *candidate = candidates_[at_++];
    return true;
  }

 private:
  std::vector<Candidate> candidates_;
  size_t at_ = 0;
};

}  // namespace trawl
