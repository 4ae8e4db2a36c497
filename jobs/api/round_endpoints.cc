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

Json RoundExample() {
  const auto step = [](const char* job, int64_t base, const char* began, double seconds) {
    return Json{{"job", job}, {"base", base}, {"began", began}, {"seconds", seconds}, {"runner", "local"}};
  };
  return {{"segment", "20260101T110000Z-0cf50b1e"},
          {"job", "20260101T111000Z-updatedb-e38366cd"},
          {"snapshot", 41},
          {"applied", "2026-01-01T11:10:02Z"},
          {"steps",
           {{"generate", step("20260101T110000Z-generate-0cf50b1e", 39, "2026-01-01T11:00:00Z", 1.5)},
            {"fetch", step("20260101T110002Z-fetch-69b9d5c8", 40, "2026-01-01T11:00:02Z", 580.0)},
            {"parse", step("20260101T110942Z-parse-eb0e0f10", 40, "2026-01-01T11:09:42Z", 18.0)},
            {"updatedb", step("20260101T111000Z-updatedb-e38366cd", 40, "2026-01-01T11:10:00Z", 2.0)}}},
          {"due", 5000},
          {"fetch",
           {{"pages", 4700},
            {"fetched", 4980},
            {"statuses", {{"200", 4700}, {"404", 200}, {"500", 80}}},
            {"outcomes", {{"fetched", 4700}, {"client_error", 200}, {"server_error", 80}, {"robots_denied", 20}}},
            {"bytes", 96'000'000},
            {"success_rate", 0.944},
            {"pages_per_second", 8.1}}},
          {"urls_new", 900}};
}

namespace {

Json OneRoundExample() {
  Json json = {{"snapshot", 42}};
  const Json round = RoundExample();
  for (const auto& [name, value] : round.items()) json[name == "snapshot" ? "applied_in" : name] = value;
  json["minutes"] = {{"step_ms", 60000}, {"rows", Json::array({Json::array({1767265200000, 480, 9800000, 510, 30})})}};
  return json;
}

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
           .answer_example = {{"snapshot", 42},
                              {"rounds", Json::array({RoundExample()})},
                              {"next", TextOf(Cursor{42, 12, ""})}},
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
           .answer_example = OneRoundExample(),
           .call = GetRound}};
}

}  // namespace trawl
