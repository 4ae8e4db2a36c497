// The share of tame pages among the inputs of a fuzz target, printed when the process ends.
#pragma once

#include <cstdint>
#include <cstdio>

#include "formats/scan/wild.h"

namespace trawl {

class TameShare {
 public:
  TameShare() = default;
  TameShare(const TameShare&) = delete;
  TameShare& operator=(const TameShare&) = delete;
  ~TameShare() {
    std::fprintf(stderr, "tame: %.1f %% of %llu\n", 100.0 * static_cast<double>(tame_) / static_cast<double>(inputs_),
                 static_cast<unsigned long long>(inputs_));
  }

  void Count(HtmlWild wild) {
    ++inputs_;
    if (wild == HtmlWild::kNot) ++tame_;
  }

 private:
  uint64_t inputs_ = 0, tame_ = 0;
};

}  // namespace trawl
