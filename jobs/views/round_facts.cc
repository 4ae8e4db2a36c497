#include "jobs/views/round_facts.h"

#include "jobs/segment/life.h"
#include "jobs/stats/round.h"
#include "runtime/root/layout.h"

namespace trawl {

using arrow::Result;

Result<Json> RoundOf(const View& view, const ClosedSegment& segment) {
  const Json unknown = {{"kind", "round"}, {"segment", segment.id}, {"snapshot", segment.snapshot}, {"fetch", nullptr}};
  if (segment.round.empty()) return unknown;
  // Whoever deletes a document loses its numbers, and no more.
  ARROW_ASSIGN_OR_RAISE(const bool is_there, view.store()->Exists(RoundPath(segment.updatedb)));
  if (!is_there) return unknown;
  ARROW_ASSIGN_OR_RAISE(std::optional<Json> round, ReadRound(view.store(), segment));
  round->erase("seal");
  return *std::move(round);
}

std::vector<size_t> RoundsOf(const View& view) {
  std::vector<size_t> rounds;
  const auto& segments = view.manifest().closed_segments;
  for (size_t i = 0; i < segments.size(); ++i) {
    if (segments[i].end == SegmentEnd::kApplied && !IsStoreOfBodies(segments[i])) rounds.push_back(i);
  }
  return rounds;
}

Result<Json> LastRound(const View& view) {
  return view.Once<Json>("last round", [&view]() -> Result<Json> {
    const std::vector<size_t> rounds = RoundsOf(view);
    // What trawl reparse applied asked for nothing.
    for (auto number = rounds.rbegin(); number != rounds.rend(); ++number) {
      const ClosedSegment& segment = view.manifest().closed_segments[*number];
      if (!segment.lists.empty()) return RoundOf(view, segment);
    }
    return Json();
  });
}

Json BriefRound(Json round) {
  for (const char* name : {"minutes", "lists", "counters"}) round.erase(name);
  return round;
}

double NumberIn(const Json& round, std::initializer_list<const char*> path) {
  const Json* at = &round;
  for (const char* name : path) {
    if (!at->is_object() || !at->contains(name)) return 0;
    at = &(*at)[name];
  }
  return at->is_number() ? at->get<double>() : 0;
}

}  // namespace trawl
