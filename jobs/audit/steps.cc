#include "jobs/audit/steps.h"

#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "jobs/audit/audit.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kMostLists = 1000;  // the longest ones

Json MemberOf(const Json& object, const char* name) {
  return object.is_object() && HasMember(object, name) ? object[name] : Json();
}
int64_t CounterOf(const Json& counters, const char* name) {
  const Result<int64_t> count = GetInt(counters, name);
  return count.ok() ? *count : 0;
}

// Reports of older versions have it as an option alone.
Json RunnerOf(const Json& report) {
  const Json runner = MemberOf(report, "runner");
  return runner.is_null() ? MemberOf(MemberOf(report, "options"), "job.runner") : runner;
}

}  // namespace

Json StepJson(const std::string& job, int64_t base, TimeMs began_ms, const Json& report) {
  return {{"job", job},
          {"base", base},
          {"began", FormatTimestamp(began_ms)},
          {"seconds", MemberOf(report, "seconds")},
          {"runner", RunnerOf(report)},
          {"runner_reason", MemberOf(report, "runner_reason")}};
}

Json OwnReport(const Plan& plan, int64_t updatedb_ms) {
  return {{"seconds", static_cast<double>(updatedb_ms) / 1000},
          {"options", plan.options},
          {"runner", plan.runner},
          {"runner_reason", plan.runner_reason}};
}

Json ListsJson(const StepRecord& lists, const StepRecord& fetched) {
  std::vector<Json> all;
  for (size_t i = 0; i < lists.tasks.size(); ++i) {
    const Json& facts = lists.tasks[i].facts;
    all.push_back({{"list", i}, {"urls", MemberOf(facts, "urls")}, {"hosts", MemberOf(facts, "hosts")}, {"ran_ms", 0}});
  }
  for (const StepTask& task : fetched.tasks) {
    const int64_t list = CounterOf(task.facts, "list");
    if (list < 0 || list >= static_cast<int64_t>(all.size())) continue;
    all[static_cast<size_t>(list)]["ran_ms"] = CounterOf(task.facts, "ran_ms");
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Json& a, const Json& b) { return CounterOf(a, "ran_ms") > CounterOf(b, "ran_ms"); });
  if (all.size() > kMostLists) all.resize(kMostLists);
  Json json = Json::array();
  for (Json& list : all) json.push_back(std::move(list));
  return json;
}

Json PolitenessJson(const StepRecord& fetched) {
  std::vector<Json> facts;
  for (const StepTask& task : fetched.tasks) facts.push_back(MemberOf(task.facts, "politeness"));
  return SumAudits(facts);
}

Json LanguagesJson(const StepRecord& parsed) {
  std::map<std::string, int64_t> languages;
  bool is_known = false;
  for (const StepTask& task : parsed.tasks) {
    const Json of_task = MemberOf(task.facts, "languages");
    if (!of_task.is_object()) continue;
    is_known = true;
    for (const auto& [language, count] : of_task.items()) {
      if (count.is_number_integer()) languages[language] += count.get<int64_t>();
    }
  }
  return is_known ? Json(languages) : Json();
}

Json RanByJson(const Plan& plan) {
  char machine[256] = "";
  gethostname(machine, sizeof machine - 1);
  return {{"machine", machine}, {"version", plan.version}};
}

Json FreeBytesJson(const Store& store) {
  const std::string root = store.Describe();
  struct statvfs about;
  if (!root.starts_with('/') || statvfs(root.c_str(), &about) != 0) return nullptr;
  return static_cast<int64_t>(about.f_bavail) * static_cast<int64_t>(about.f_frsize);
}

}  // namespace trawl
