#include "jobs/segment/known_segments.h"

#include "runtime/root/layout.h"
#include "runtime/root/segment_data.h"

namespace trawl {

using arrow::Result;

namespace {

Result<std::string> LastStep(Store* store, const std::string& id) {
  for (const auto& [step, done] : {std::pair{kParseStep, "parsed"}, std::pair{kFetchStep, "fetched"}}) {
    ARROW_ASSIGN_OR_RAISE(const bool there, store->Exists(DatasetRecordPath(id, step)));
    if (there) return std::string(done);
  }
  return std::string("generated");
}

}  // namespace

Result<std::vector<KnownSegment>> ReadSegments(Store* store, const Manifest& manifest, TimeMs now_ms, int64_t limit) {
  std::vector<KnownSegment> all;
  for (const ClosedSegment& closed : manifest.closed_segments) {
    all.push_back({.id = closed.id, .state = closed.how, .job = closed.job, .lists = closed.lists});
  }
  for (const OpenSegment& open : manifest.open_segments) {
    all.push_back({.id = open.id,
                   .state = open.until_ms > now_ms ? "open" : "expired",
                   .job = open.job,
                   .lists = open.lists,
                   .until_ms = open.until_ms});
  }
  if (limit > 0 && all.size() > static_cast<size_t>(limit))
    all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(limit));
  for (KnownSegment& segment : all) {
    if (segment.state == "applied") {
      segment.step = segment.state;
      continue;
    }
    ARROW_ASSIGN_OR_RAISE(segment.step, LastStep(store, segment.id));
    if (segment.state == "open" && segment.step != "generated") segment.state = segment.step;
  }
  return all;
}

Result<std::optional<StepRecord>> ReadListsIfThere(Store* store, const KnownSegment& segment) {
  ARROW_ASSIGN_OR_RAISE(const bool there, store->Exists(ListsRecordPath(segment.id, segment.job)));
  if (!there) return std::nullopt;
  ARROW_ASSIGN_OR_RAISE(StepRecord record, ReadLists(store, segment.id, segment.job, segment.lists));
  return record;
}

}  // namespace trawl
