#include "runtime/job/plan.h"

#include <cstdio>
#include <random>

#include "formats/documents/format_version.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// From 2 on the tasks on a cluster exchange blocks. A program that knows 1 would send records one by one; it says that
// the plan is too new for it.
constexpr int kPlanFormat = 2;

Status ReadRunner(const Json& json, Plan* plan) {
  plan->outlives_driver = plan->is_on_cluster();
  if (!HasMember(json, "runner")) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(plan->runner, GetString(json, "runner"));
  ARROW_ASSIGN_OR_RAISE(plan->runner_reason, GetString(json, "runner_reason"));
  ARROW_ASSIGN_OR_RAISE(plan->outlives_driver, GetBool(json, "outlives_driver"));
  ARROW_ASSIGN_OR_RAISE(const Json* work, GetObject(json, "work"));
  ARROW_ASSIGN_OR_RAISE(plan->work.bytes, GetInt(*work, "bytes"));
  return GetInt(*work, "wait_ms").Value(&plan->work.wait_ms);
}

}  // namespace

Json ToJson(const Plan& plan) {
  Json options = Json::object();
  for (const auto& [name, text] : plan.options) options[name] = text;
  Json json = {{"format", kPlanFormat},
               {"job", plan.job},
               {"verb", plan.verb},
               {"version", plan.version},
               {"snapshot", plan.snapshot},
               {"now_ms", plan.now_ms},
               {"planned_ms", plan.planned_ms},
               {"process", ToJson(plan.process)},
               {"options", options},
               {"facts", plan.facts},
               {"partitions", plan.partitions},
               {"parts", Json(plan.parts)}};
  if (plan.runner.empty()) return json;
  json["runner"] = plan.runner;
  json["runner_reason"] = plan.runner_reason;
  json["outlives_driver"] = plan.outlives_driver;
  json["work"] = {{"bytes", plan.work.bytes}, {"wait_ms", plan.work.wait_ms}};
  return json;
}

Result<Plan> PlanFromJson(const Json& json) {
  Plan plan;
  ARROW_ASSIGN_OR_RAISE(const int64_t format, GetInt(json, "format"));
  ARROW_RETURN_NOT_OK(CheckFormat(format, kPlanFormat));
  ARROW_ASSIGN_OR_RAISE(plan.job, GetString(json, "job"));
  ARROW_ASSIGN_OR_RAISE(plan.verb, GetString(json, "verb"));
  ARROW_ASSIGN_OR_RAISE(plan.version, GetString(json, "version"));
  ARROW_ASSIGN_OR_RAISE(plan.snapshot, GetInt(json, "snapshot"));
  ARROW_ASSIGN_OR_RAISE(plan.now_ms, GetInt(json, "now_ms"));
  ARROW_ASSIGN_OR_RAISE(plan.planned_ms, GetInt(json, "planned_ms"));
  if (HasMember(json, "process")) {
    ARROW_ASSIGN_OR_RAISE(const Json* process, GetObject(json, "process"));
    ARROW_ASSIGN_OR_RAISE(plan.process, ProcessFromJson(*process));
  }
  ARROW_ASSIGN_OR_RAISE(const Json* options, GetObject(json, "options"));
  for (const auto& [name, text] : options->items()) {
    if (!text.is_string()) return Status::Invalid("option '", name, "' is not a string");
    plan.options[name] = text.get<std::string>();
  }
  ARROW_RETURN_NOT_OK(ReadRunner(json, &plan));
  ARROW_ASSIGN_OR_RAISE(const Json* facts, GetObject(json, "facts"));
  plan.facts = *facts;
  ARROW_ASSIGN_OR_RAISE(const int64_t partitions, GetInt(json, "partitions"));
  plan.partitions = static_cast<int>(partitions);
  ARROW_ASSIGN_OR_RAISE(const Json* parts, GetArray(json, "parts"));
  plan.parts.assign(parts->begin(), parts->end());
  return plan;
}

std::string Plan::segment() const {
  const auto found = facts.find("segment");
  return found != facts.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool Plan::is_on_cluster() const {
  if (!runner.empty()) return runner == kStreamingRunner;
  const auto asked = options.find("job.runner");
  return asked != options.end() && asked->second == kStreamingRunner;
}

std::string NewJobId(const std::string& verb, TimeMs now_ms) {
  // 2026-01-01T12:00:00.250Z to the second, without the characters that a file name cannot hold.
  std::string time;
  for (const char c : FormatTimestamp(now_ms).substr(0, 19)) {
    if (c != '-' && c != ':') time.push_back(c);
  }
  char random[16];
  std::snprintf(random, sizeof random, "%08x", std::random_device{}());
  return time + "Z-" + verb + "-" + random;
}

}  // namespace trawl
