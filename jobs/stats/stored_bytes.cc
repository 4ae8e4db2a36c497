#include "jobs/stats/stored_bytes.h"

#include "formats/rows/times.h"
#include "runtime/root/layout.h"

namespace trawl {

using arrow::Result;

const std::array<const char*, StoredBytes::kAges> StoredBytes::kNames = {"day", "week", "month", "quarter", "older"};

void StoredBytes::AddSegmentFile(int64_t bytes, int64_t age_ms) {
  constexpr int64_t kDays[] = {1, 7, 30, 90};
  size_t age = 0;
  while (age < std::size(kDays) && age_ms > kDays[age] * kDayMs) ++age;
  segments += bytes;
  segments_by_age[age] += bytes;
}

Result<StoredBytes> ReadStoredBytes(Store* store, const Manifest& manifest, TimeMs now_ms) {
  StoredBytes bytes;
  for (const auto& [table, runs] : manifest.tables) {
    for (const RunReference& run : runs) bytes.tables += run.bytes;
  }
  ARROW_ASSIGN_OR_RAISE(const auto entries, store->List(kSegmentsFolder, /*recursive=*/true));
  for (const StoreEntry& entry : entries) bytes.AddSegmentFile(entry.size_bytes, now_ms - entry.modified_ms);
  return bytes;
}

Json ToJson(const StoredBytes& bytes) {
  Json ages = Json::object();
  for (size_t i = 0; i < bytes.segments_by_age.size(); ++i) ages[StoredBytes::kNames[i]] = bytes.segments_by_age[i];
  return {{"tables", bytes.tables}, {"segments", bytes.segments}, {"segments_by_age", ages}};
}

}  // namespace trawl
