#include "jobs/operate/host_robots.h"

#include <algorithm>

#include "formats/rows/robots_row.h"
#include "formats/url/key.h"
#include "jobs/verb/row_json.h"
#include "runtime/tables/merge_scan.h"
#include "runtime/terminal/text.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

Json RobotsJson(const RobotsRow& row) {
  // The key of a robots row and a path is the key of its robots.txt.
  return {{"url", UrlOrNull(row.key + "/robots.txt")},
          {"outcome", TextOf(row.outcome)},
          {"status", row.status},
          {"fetched", TimeJson(row.fetched_ms)},
          {"due", TimeJson(row.due_ms)},
          {"failures", row.failures},
          {"redirect_to", UrlOrNull(row.redirect_to)},
          {"text", row.text_ms == 0 ? Json() : Json(row.text)},
          {"text_fetched", TimeJson(row.text_ms)},
          {"history", LinesOf(row.history)}};
}

const char* TextOf(BreakerState state) {
  switch (state) {
    case BreakerState::kOpen:
      return "open";
    case BreakerState::kHalfOpen:
      return "half_open";
    case BreakerState::kClosed:
      break;
  }
  return "closed";
}

Json BreakerJson(const HostRow& row, TimeMs now_ms) {
  const bool is_over = row.breaker == BreakerState::kOpen && row.breaker_until_ms <= now_ms;
  return {{"state", TextOf(is_over ? BreakerState::kHalfOpen : row.breaker)},
          {"until", TimeJson(row.breaker_until_ms)},
          {"openings", row.breaker_openings},
          {"failures_in_a_row", row.failures_in_a_row},
          {"window_start", TimeJson(row.window_start_ms)},
          {"window_requests", row.window_requests},
          {"window_failures", row.window_failures},
          {"slow_until", TimeJson(row.slow_until_ms)}};
}

std::string TextOrDash(const Json& json) { return json.is_string() ? json.get<std::string>() : "-"; }

}  // namespace

Result<Json> HostRobotsJson(Store* store, const Manifest& snapshot, const HostRow& host, TimeMs now_ms) {
  ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<RobotsRow>(store, snapshot));
  ARROW_ASSIGN_OR_RAISE(const KeyRange range, KeyRangeOfHost(HostOfKey(host.key)));
  const uint32_t slot = SlotOfKey(range.from);
  Json origins = Json::array();
  ARROW_RETURN_NOT_OK(ForEachRow<RobotsRow>(
      table, {.slots = {slot, slot + 1}, .from_key = range.from, .to_key = range.to}, [&](const RobotsRow& row) {
        origins.push_back(RobotsJson(row));
        return Status::OK();
      }));
  return Json{{"host", HostOfKey(host.key)}, {"robots", origins}, {"breaker", BreakerJson(host, now_ms)}};
}

std::string HostRobotsText(const Json& robots) {
  std::string text;
  const auto line = [&text](const std::string& name, const std::string& value) {
    text += PadRight(name, 14) + value + "\n";
  };
  for (const Json& origin : robots["robots"]) {
    line("robots.txt", TextOrDash(origin["url"]));
    const auto status = origin["status"].get<int32_t>();
    line("asked", TextOrDash(origin["fetched"]) + ", " + origin["outcome"].get<std::string>() +
                      (status > 0 ? " " + std::to_string(status) : "") + "; again at " + TextOrDash(origin["due"]));
    if (origin["failures"].get<int32_t>() > 0) {
      line("failures", ReadableCount(origin["failures"].get<int32_t>()) + " in a row");
    }
    if (origin["redirect_to"].is_string()) line("leads to", TextOrDash(origin["redirect_to"]));
    for (const Json& decision : origin["history"]) line("history", decision.get<std::string>());
    if (origin["text"].is_null()) {
      line("text", "none stored");
      continue;
    }
    line("text", "as of " + TextOrDash(origin["text_fetched"]));
    for (const std::string& rule : LinesOf(origin["text"].get<std::string>())) text += "    " + rule + "\n";
  }
  if (robots["robots"].empty()) line("robots.txt", "not asked for yet");
  const Json& breaker = robots["breaker"];
  const auto count = [&breaker](const char* name) { return ReadableCount(breaker[name].get<int64_t>()); };
  const auto counted = [&breaker](const char* name, const char* noun) {
    return ReadableCount(breaker[name].get<int64_t>(), noun);
  };
  line("breaker", breaker["state"].get<std::string>() +
                      (breaker["until"].is_null() ? "" : " until " + TextOrDash(breaker["until"])) + ", opened " +
                      counted("openings", "time") + " in a row; " + counted("failures_in_a_row", "failure") +
                      " in a row");
  line("last hour", count("window_failures") + " of " + counted("window_requests", "request") +
                        " failed, counted since " + TextOrDash(breaker["window_start"]));
  return text;
}

}  // namespace trawl
