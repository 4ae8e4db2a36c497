// The answers of YARN's REST services, as values. The ResourceManager tells of applications; the application master and
// the history server, which answer in the same form, tell of jobs, tasks and attempts.
//
// Missing members read as empty, because versions differ. Some versions give a single element itself instead of a list
// of one. Pure; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"

namespace trawl {

struct YarnApplication {
  std::string id;  // "application_1767225600000_0042"
  std::string name;
  std::string tags;          // with commas between them, in lower case
  std::string state;         // NEW, NEW_SAVING, SUBMITTED, ACCEPTED, RUNNING, FINISHED, FAILED or KILLED
  std::string final_status;  // UNDEFINED until it is over, then SUCCEEDED, FAILED or KILLED
  std::string diagnostics;
  std::string queue;
  std::string tracking_url;
  int64_t started_ms = 0;

  bool is_over() const { return state == "FINISHED" || state == "FAILED" || state == "KILLED"; }
  bool has_succeeded() const { return state == "FINISHED" && final_status == "SUCCEEDED"; }
  // In any case of letters.
  bool HasTag(std::string_view tag) const;
  // Trawl's id of a job that Trawl submitted: the last word of the application's name, where it is also one of its
  // tags; else empty.
  std::string TrawlJob() const;
  // "job_1767225600000_0042": the name that the application master and the history server use.
  std::string JobId() const;
};

struct YarnJob {
  int maps = 0;
  int maps_done = 0;
  int reduces = 0;
  int reduces_done = 0;
  int failed_attempts = 0;
  std::string state;
  std::string diagnostics;
};

struct YarnTask {
  std::string id;  // "task_1767225600000_0042_m_000003"
  std::string state;
  std::string status;  // the last status that it reported
};

struct YarnAttempt {
  std::string id;
  std::string state;
  std::string diagnostics;
  std::string node;
};

// {"apps": {"app": […]}}; where nothing was found, {"apps": null} or {"apps": {}}.
arrow::Result<std::vector<YarnApplication>> YarnApplicationsFrom(std::string_view text);
// {"app": {…}}
arrow::Result<YarnApplication> YarnApplicationFrom(std::string_view text);
// {"job": {…}}
arrow::Result<YarnJob> YarnJobFrom(std::string_view text);
// {"tasks": {"task": […]}}
arrow::Result<std::vector<YarnTask>> YarnTasksFrom(std::string_view text);
// {"taskAttempts": {"taskAttempt": […]}}
arrow::Result<std::vector<YarnAttempt>> YarnAttemptsFrom(std::string_view text);
// The counters of one group of {"jobCounters": {"counterGroup": […]}}, summed over all tasks.
arrow::Result<std::map<std::string, int64_t>> YarnCountersFrom(std::string_view text, std::string_view group);

}  // namespace trawl
