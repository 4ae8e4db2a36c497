// What a fetch did minute by minute: pages, bytes, requests and errors. One thread.
//
// A long fetch has wider steps, so that there are never more than kMost of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "runtime/process/clock.h"

namespace trawl {

class Minutes {
 public:
  static constexpr size_t kMost = 1440;

  struct Sums {
    int64_t pages = 0;
    int64_t bytes = 0;
    int64_t requests = 0;
    int64_t errors = 0;
    bool operator==(const Sums&) const = default;
  };

  void Add(TimeMs at_ms, const Sums& sums);
  void Merge(const Minutes& other);
  int64_t step_ms() const { return step_ms_; }
  // By the beginning of the step.
  const std::map<TimeMs, Sums>& steps() const { return steps_; }

 private:
  void Widen(int64_t step_ms);

  int64_t step_ms_ = 60'000;
  std::map<TimeMs, Sums> steps_;
};

// {"step_ms": 60000, "rows": [[at_ms, pages, bytes, requests, errors], …]}
Json ToJson(const Minutes& minutes);
arrow::Result<Minutes> MinutesFromJson(const Json& json);

}  // namespace trawl
