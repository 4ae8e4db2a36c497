#include "formats/hadoop/yarn_answers.h"

#include <algorithm>

#include "formats/documents/json.h"
#include "formats/text/ascii.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

std::string Text(const Json& object, const char* name) {
  const Result<std::string> text = GetString(object, name);
  return text.ok() ? *text : "";
}

int64_t Number(const Json& object, const char* name) {
  const Result<int64_t> number = GetInt(object, name);
  return number.ok() ? *number : 0;
}

int SmallNumber(const Json& object, const char* name) {
  return static_cast<int>(std::clamp<int64_t>(Number(object, name), 0, 1 << 30));
}

// The contents of the object {"outer": {…}}.
Result<Json> Inner(std::string_view text, const char* outer) {
  ARROW_ASSIGN_OR_RAISE(Json json, ParseJson(text));
  if (!HasMember(json, outer)) return Status::Invalid("an answer without '", outer, "'");
  Json inner = std::move(json[outer]);
  if (!inner.is_object() && !inner.is_null()) return Status::Invalid("an answer whose '", outer, "' is not an object");
  return inner;
}

// The elements of a list that may be missing, null, or a single element by itself.
std::vector<Json> Elements(const Json& object, const char* name) {
  if (!HasMember(object, name)) return {};
  const Json& member = object[name];
  if (member.is_object()) return {member};
  if (!member.is_array()) return {};
  return {member.begin(), member.end()};
}

YarnApplication ApplicationOf(const Json& json) {
  return {.id = Text(json, "id"),
          .name = Text(json, "name"),
          .tags = Text(json, "applicationTags"),
          .state = Text(json, "state"),
          .final_status = Text(json, "finalStatus"),
          .diagnostics = Text(json, "diagnostics"),
          .queue = Text(json, "queue"),
          .tracking_url = Text(json, "trackingUrl"),
          .started_ms = Number(json, "startedTime")};
}

}  // namespace

bool YarnApplication::HasTag(std::string_view tag) const {
  const std::string wanted = "," + AsciiLower(tag) + ",";
  return ("," + AsciiLower(tags) + ",").find(wanted) != std::string::npos;
}

std::string YarnApplication::JobId() const {
  const size_t digits = id.find('_');
  return digits == std::string::npos ? "" : "job" + id.substr(digits);
}

std::string YarnApplication::TrawlJob() const {
  const std::string last = name.substr(name.rfind(' ') + 1);
  return !last.empty() && HasTag(last) ? last : "";
}

Result<std::vector<YarnApplication>> YarnApplicationsFrom(std::string_view text) {
  ARROW_ASSIGN_OR_RAISE(const Json apps, Inner(text, "apps"));
  std::vector<YarnApplication> applications;
  for (const Json& element : Elements(apps, "app")) applications.push_back(ApplicationOf(element));
  return applications;
}

Result<YarnApplication> YarnApplicationFrom(std::string_view text) {
  ARROW_ASSIGN_OR_RAISE(const Json app, Inner(text, "app"));
  return ApplicationOf(app);
}

Result<YarnJob> YarnJobFrom(std::string_view text) {
  ARROW_ASSIGN_OR_RAISE(const Json job, Inner(text, "job"));
  return YarnJob{.maps = SmallNumber(job, "mapsTotal"),
                 .maps_done = SmallNumber(job, "mapsCompleted"),
                 .reduces = SmallNumber(job, "reducesTotal"),
                 .reduces_done = SmallNumber(job, "reducesCompleted"),
                 .failed_attempts = SmallNumber(job, "failedMapAttempts") + SmallNumber(job, "failedReduceAttempts"),
                 .state = Text(job, "state"),
                 .diagnostics = Text(job, "diagnostics")};
}

Result<std::vector<YarnTask>> YarnTasksFrom(std::string_view text) {
  ARROW_ASSIGN_OR_RAISE(const Json json, Inner(text, "tasks"));
  std::vector<YarnTask> tasks;
  for (const Json& element : Elements(json, "task")) {
    tasks.push_back({Text(element, "id"), Text(element, "state"), Text(element, "status")});
  }
  return tasks;
}

Result<std::vector<YarnAttempt>> YarnAttemptsFrom(std::string_view text) {
  ARROW_ASSIGN_OR_RAISE(const Json json, Inner(text, "taskAttempts"));
  std::vector<YarnAttempt> attempts;
  for (const Json& element : Elements(json, "taskAttempt")) {
    attempts.push_back(
        {Text(element, "id"), Text(element, "state"), Text(element, "diagnostics"), Text(element, "nodeHttpAddress")});
  }
  return attempts;
}

Result<std::map<std::string, int64_t>> YarnCountersFrom(std::string_view text, std::string_view group) {
  ARROW_ASSIGN_OR_RAISE(const Json json, Inner(text, "jobCounters"));
  std::map<std::string, int64_t> counters;
  for (const Json& element : Elements(json, "counterGroup")) {
    if (Text(element, "counterGroupName") != group) continue;
    for (const Json& counter : Elements(element, "counter")) {
      counters[Text(counter, "name")] = Number(counter, "totalCounterValue");
    }
  }
  return counters;
}

}  // namespace trawl
