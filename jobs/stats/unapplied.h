// What a segment that was never applied holds: that is lost if it is abandoned. Any thread.
#pragma once

#include <cstdint>
#include <string>

#include "arrow/result.h"
#include "runtime/store/store.h"

namespace trawl {

struct Unapplied {
  int64_t requests = 0;
  int64_t pages = 0;  // stored bodies
  int64_t bytes = 0;  // decoded
};

// Reads the record of fetch, or, while fetch is not done, the chains of its attempts.
arrow::Result<Unapplied> ReadUnapplied(Store* store, const std::string& segment);

}  // namespace trawl
