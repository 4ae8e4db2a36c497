#include "jobs/stats/fetch_report.h"

#include <cstdio>
#include <vector>

#include "jobs/audit/used.h"
#include "runtime/terminal/units.h"

namespace trawl {

namespace {

constexpr size_t kShown = 3;  // errors and slow hosts; the report has ten

std::string Percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", share * 100);
  return text;
}

}  // namespace

Json FetchDetails(const FetchStats& stats, const StepRecord& fetched) {
  std::vector<Json> used;
  for (const StepTask& task : fetched.tasks) {
    if (task.facts.is_object() && HasMember(task.facts, "used")) used.push_back(task.facts["used"]);
  }
  Json details = {{"fetch", ToJson(stats)}, {"used", SumUse(used, stats.wire_bytes)}};
  const double seconds = details["used"]["seconds"].get<double>();
  details["fetch"]["pages_per_second"] = seconds > 0 ? static_cast<double>(stats.pages) / seconds : 0;
  details["fetch"]["bytes_per_second"] = seconds > 0 ? static_cast<double>(stats.bytes) / seconds : 0;
  return details;
}

void AddFetchDetails(const Json& details, Json* summary) {
  if (!details.contains("fetch")) return;
  for (const auto& [name, value] : details["fetch"].items()) {
    if (!summary->contains(name)) (*summary)[name] = value;
  }
  (*summary)["used"] = details["used"];
}

std::string ReadableFetch(const Json& details) {
  const Json& fetch = details["fetch"];
  const Json& used = details["used"];
  if (fetch["fetched"].get<int64_t>() == 0) return "";
  std::string text = "  succeeded: " + Percent(fetch["success_rate"].get<double>());
  if (!fetch["answered"].is_null()) {
    const Json& response = fetch["response_ms"];
    text += ", answers in " + ReadableDuration(response["p50"].get<int64_t>()) + " (median), 99 % within " +
            ReadableDuration(response["p99"].get<int64_t>());
  }
  text += "\n";
  size_t shown = 0;
  for (const Json& error : fetch["top_errors"]) {
    if (shown++ == kShown) break;
    text += "  " + ReadableCount(error["count"].get<int64_t>()) + " x " + error["reason"].get<std::string>() + "\n";
  }
  shown = 0;
  std::string slowest;
  for (const Json& host : fetch["slowest_hosts"]) {
    if (shown++ == kShown) break;
    slowest += (slowest.empty() ? "  slowest: " : ", ") + host["host"].get<std::string>() + " " +
               ReadableDuration(host["average_ms"].get<int64_t>());
  }
  if (!slowest.empty()) text += slowest + "\n";
  return text + "  used: " + Percent(used["cpu_share"].get<double>()) + " of the processors, disk " +
         ReadableSize(static_cast<int64_t>(used["disk_bytes_per_second"].get<double>())) + "/s, network " +
         ReadableSize(static_cast<int64_t>(used["wire_bytes_per_second"].get<double>())) + "/s\n";
}

}  // namespace trawl
