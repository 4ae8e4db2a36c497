// /api/v1/rounds: the documents of rounds.
#include <algorithm>

#include "formats/answers/schemas.h"
#include "jobs/api/endpoints.h"
#include "jobs/views/failure.h"
#include "jobs/views/round_facts.h"

namespace trawl {

using arrow::Result;

namespace {

// Newest first. A cursor's slot is the number of the next round, counted from the oldest.
Result<ApiAnswer> ListRounds(ApiCall& call) {
  const std::vector<size_t> rounds = RoundsOf(*call.view);
  size_t at = rounds.size();
  if (call.Has("cursor")) {
    const std::optional<Cursor> cursor = ParseCursor(call.Text("cursor"));
    if (!cursor || !cursor->key.empty() || cursor->slot > rounds.size())
      return Unknown("this cursor is none of this list");
    at = cursor->slot;
  }
  const auto limit = static_cast<size_t>(call.Number("limit"));
  ScanBudget budget(call);
  constexpr int64_t kRowsOfDocument = 10'000;
  ApiAnswer answer;
  Json items = Json::array();
  while (at > 0 && items.size() < limit && !budget.IsUsedUp(kRowsOfDocument)) {
    ARROW_RETURN_NOT_OK(call.stop.Check());
    ARROW_ASSIGN_OR_RAISE(Json round, RoundOf(*call.view, call.view->manifest().closed_segments[rounds[--at]]));
    items.push_back(BriefRound(std::move(round)));
  }
  answer.body["rounds"] = std::move(items);
  if (at > 0) answer.next = TextOf(Cursor{call.view->number(), static_cast<uint32_t>(at), ""});
  return answer;
}

Result<ApiAnswer> GetRound(ApiCall& call) {
  const std::string segment = call.Text("segment");
  const auto& closed = call.view->manifest().closed_segments;
  for (const size_t number : RoundsOf(*call.view)) {
    if (closed[number].id != segment) continue;
    ApiAnswer answer;
    ARROW_ASSIGN_OR_RAISE(const Json round, RoundOf(*call.view, closed[number]));
    // `snapshot` is that of the answer.
    for (const auto& [name, value] : round.items()) answer.body[name == "snapshot" ? "applied_in" : name] = value;
    return answer;
  }
  return Unknown("no applied round has the segment " + segment.substr(0, 200) + "; /api/v1/rounds lists them");
}

Json RoundSchema() { return ObjectSchema({{"segment", TextSchema()}, {"fetch", Json{{"type", {"object", "null"}}}}}); }

}  // namespace

std::vector<Endpoint> RoundEndpoints() {
  return {{.method = "GET",
           .path = "/api/v1/rounds",
           .operation = "listRounds",
           .summary = "The rounds that were applied, newest first",
           .description =
               "Documents without their lists and minutes. `fetch` is null where an older version applied the round.",
           .tag = "rounds",
           .parameters = WithListParameters({}),
           .answer = Schema(PageOfListSchema("rounds", RoundSchema())),
           .call = ListRounds},
          {.method = "GET",
           .path = "/api/v1/rounds/{segment}",
           .operation = "getRound",
           .summary = "The document of a round",
           .tag = "rounds",
           .parameters = {{.name = "segment",
                           .place = ParameterPlace::kPath,
                           .schema = {{"type", "string"}, {"minLength", 1}, {"maxLength", 200}},
                           .description = "The id of its segment.",
                           .example = "20260101T120000Z-0cf50b1e"}},
           .answer = Schema(RoundSchema()),
           .call = GetRound}};
}

}  // namespace trawl
