#include "jobs/stats/unapplied.h"

#include <optional>

#include "formats/documents/attempt_entry.h"
#include "formats/documents/sealed_json.h"
#include "runtime/root/layout.h"
#include "runtime/root/segment_data.h"

namespace trawl {

using arrow::Result;

namespace {

constexpr int64_t kMostEntryBytes = 16 << 20;

void AddCounters(const Json& counters, Unapplied* sums) {
  const auto count = [&counters](const char* name) {
    const Result<int64_t> counted = GetInt(counters, name);
    return counted.ok() ? *counted : 0;
  };
  sums->requests += count("fetched");
  sums->pages += count("pages");
  sums->bytes += count("bytes");
}

}  // namespace

Result<Unapplied> ReadUnapplied(Store* store, const std::string& segment) {
  Unapplied sums;
  ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> fetched, ReadStep(store, segment, kFetchStep));
  if (fetched) {
    AddCounters(fetched->counters, &sums);
    return sums;
  }
  ARROW_ASSIGN_OR_RAISE(const auto entries, store->List(SegmentFolder(segment), /*recursive=*/true));
  for (const StoreEntry& entry : entries) {
    const std::optional<Place> place = ParsePath(entry.path);
    if (!place || place->kind != PlaceKind::kAttempt) continue;
    ARROW_ASSIGN_OR_RAISE(const std::string text, store->ReadWhole(entry.path, kMostEntryBytes));
    ARROW_ASSIGN_OR_RAISE(const Json json, OpenSealedJson(text, entry.path));
    ARROW_ASSIGN_OR_RAISE(const AttemptEntry attempt, AttemptEntryFromJson(json));
    AddCounters(attempt.counters, &sums);
  }
  return sums;
}

}  // namespace trawl
