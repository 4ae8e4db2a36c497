// The bytes that a crawl has stored: its tables, and its segments by their age. Lists the folder of the segments.
#pragma once

#include <array>
#include <cstdint>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

// Files count by the time at which they were written.
struct StoredBytes {
  static constexpr int kAges = 5;
  // The upper bounds of the ages: a day, a week, a month of 30 days, 90 days; the last has none.
  static const std::array<const char*, kAges> kNames;

  int64_t tables = 0;  // of the snapshot
  int64_t segments = 0;
  std::array<int64_t, kAges> segments_by_age{};

  void AddSegmentFile(int64_t bytes, int64_t age_ms);
};

arrow::Result<StoredBytes> ReadStoredBytes(Store* store, const Manifest& manifest, TimeMs now_ms);

// {"tables", "segments", "segments_by_age": {"day", "week", "month", "quarter", "older"}}
Json ToJson(const StoredBytes& bytes);

}  // namespace trawl
