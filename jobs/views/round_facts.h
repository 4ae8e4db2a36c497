// The documents of rounds, as several endpoints need them. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "jobs/views/views.h"

namespace trawl {

// The document of an applied segment. Of one that an older version applied only `segment` and `snapshot` are known, and `fetch` is null.
arrow::Result<Json> RoundOf(const View& view, const ClosedSegment& segment);
// Numbers of the applied rounds among the view's closed segments, oldest first; stores of bodies are no rounds.
std::vector<size_t> RoundsOf(const View& view);
// The document of the newest round, kept by the view; null where there is none.
arrow::Result<Json> LastRound(const View& view);

// A round without its long lists: what a list of rounds shows.
Json BriefRound(Json round);
// A number below `round`, by names: 0 where it is not there.
double NumberIn(const Json& round, std::initializer_list<const char*> path);

}  // namespace trawl
