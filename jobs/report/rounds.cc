#include "jobs/report/rounds.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "jobs/report/json_numbers.h"
#include "jobs/segment/life.h"
#include "jobs/stats/round.h"
#include "runtime/process/status_detail.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

using arrow::Result;

namespace {

// What charts over rounds show of one.
Json BriefOf(const Json& round) {
  const Json& fetch = MemberOf(round, "fetch");
  const Json& links = MemberOf(round, "links");
  const Json& storage = MemberOf(round, "storage");
  const Result<TimeMs> applied = ParseTimestamp(TextOf(round, "applied"));
  Json seconds = Json::object();
  for (const auto& [name, step] : MemberOf(round, "steps").items()) seconds[name] = MemberOf(step, "seconds");
  return {{"segment", MemberOf(round, "segment")},
          {"snapshot", MemberOf(round, "snapshot")},
          {"kind", MemberOf(round, "kind")},
          {"applied_ms", applied.ok() ? Json(*applied) : Json()},
          {"seconds", seconds},
          {"pages", MemberOf(fetch, "pages")},
          {"requests", MemberOf(fetch, "fetched")},
          {"bytes", MemberOf(fetch, "bytes")},
          {"outcomes", MemberOf(fetch, "outcomes")},
          {"states", MemberOf(MemberOf(round, "totals"), "states")},
          {"links",
           {{"new", MemberOf(links, "new")},
            {"known", MemberOf(links, "known")},
            {"out_of_scope", MemberOf(links, "out_of_scope")}}},
          {"refreshed", MemberOf(round, "refreshed")},
          {"within_window", MemberOf(round, "within_window")},
          {"storage", {{"tables", MemberOf(storage, "tables")}, {"segment", MemberOf(storage, "segment")}}}};
}

std::vector<ClosedSegment> AppliedUpTo(const Manifest& manifest, const std::string& segment) {
  std::vector<ClosedSegment> applied;
  for (const ClosedSegment& closed : manifest.closed_segments) {
    if (closed.end != SegmentEnd::kApplied || IsStoreOfBodies(closed)) continue;
    applied.push_back(closed);
    if (closed.id == segment) return applied;
  }
  return applied;
}

}  // namespace

Result<RoundsOfReport> ReadRoundsOfReport(Store* store, const Manifest& manifest, const std::string& segment,
                                          int64_t last, const StopToken& stop) {
  const std::vector<ClosedSegment> applied = AppliedUpTo(manifest, segment);
  if (!segment.empty() && (applied.empty() || applied.back().id != segment)) {
    return UsageError("no round of segment '", segment.substr(0, 100), "' was applied; trawl rounds lists the rounds");
  }
  RoundsOfReport told;
  const size_t count = std::min(applied.size(), static_cast<size_t>(std::max<int64_t>(last, 1)));
  for (size_t i = applied.size() - count; i < applied.size(); ++i) {
    ARROW_RETURN_NOT_OK(stop.Check());
    ARROW_ASSIGN_OR_RAISE(std::optional<Json> round, ReadRound(store, applied[i]));
    if (!round) {
      ++told.without_numbers;
      continue;
    }
    told.rounds.push_back(BriefOf(*round));
    if (i + 1 == applied.size()) told.round = std::move(*round);
  }
  return told;
}

}  // namespace trawl
