#include <array>
#include <utility>

#include "runtime/terminal/timestamp.h"
#include "tests/support/pages/made_values.h"

namespace trawl {

Json MadeStatus(TimeMs now_ms) {
  return {{"snapshot", 412},
          {"state", "fetch"},
          {"segment", MadeSegmentName(99)},
          {"pages_per_sec", 11.7},
          {"queue_depth", 4'312'000},
          {"error_rate_percent", 23.4},
          {"due", 52'344},
          {"next_due", FormatTimestamp(now_ms + 4 * kMinute)},
          {"open_segments", 2},
          {"settled", 8'040},
          {"left", 1'960},
          {"rate", {{"over_ms", 300'000}, {"age_ms", 30'000}, {"pages_per_sec", 11.7}}},
          {"waits",
           {{"hosts_active", 31},
            {"wait_for_delay", 212},
            {"next_ms", 300},
            {"wait_for_names", 2},
            {"wait_for_servers", 5},
            {"age_ms", 30'000}}},
          {"segments",
           {{{"segment", MadeSegmentName(99)},
             {"state", "open"},
             {"opened", TimeAgo(now_ms, 21 * kMinute)},
             {"until", FormatTimestamp(now_ms + 6 * kHour)},
             {"lists", 8},
             {"lists_begun", 8},
             {"lists_done", 1},
             {"settled", 8040},
             {"left", 1960}},
            {{"segment", MadeSegmentName(98)},
             {"state", "expired"},
             {"opened", TimeAgo(now_ms, 3 * kDay)},
             {"until", TimeAgo(now_ms, kDay)},
             {"lists", 2},
             {"lists_begun", 2},
             {"lists_done", 0},
             {"settled", 30},
             {"left", 70}}}},
          {"holds", {{"blocked", 7}, {"breaker_open", 120}, {"throttled", 41}, {"slow", 12}, {"suspected_trap", 3}}},
          {"states",
           {{"unfetched", 4'312'000},
            {"fetched", 712'331},
            {"gone", 9'211},
            {"failing", 3'120},
            {"denied", 877},
            {"redirected", 44'120},
            {"refused", 12},
            {"duplicate", 3'500}}}};
}

void PutMadeWorkers(TimeMs now_ms, std::map<std::string, SourceAnswer>* answers) {
  Json workers = Json::array();
  for (int i = 0; i < 8; ++i) {
    const std::string id = "a" + std::to_string(i);
    const int64_t age_ms = i == 5 ? 11 * kMinute : 30 * kSecond;
    workers.push_back({{"id", id},
                       {"task", i},
                       {"segment", MadeSegmentName(99)},
                       {"job", "20261119T220000Z-fetch-99"},
                       {"machine", i == 2 ? std::string(kHostileText) : "node" + std::to_string(i % 3) + ".cluster"},
                       {"pid", 4000 + i},
                       {"since", TimeAgo(now_ms, 20 * kMinute)},
                       {"last_seen_at", TimeAgo(now_ms, age_ms)},
                       {"lease_ms", 120'000},
                       {"state", i == 5   ? "silent"
                                 : i == 6 ? "ended"
                                          : "active"},
                       {"age_ms", age_ms}});
    (*answers)["/api/v1/workers/" + id + "/stats"].value = {{"id", id},
                                                            {"pages", 900 + i},
                                                            {"pages_per_sec", i == 3 ? 0.2 : 1.4},
                                                            {"settled", 1000 + i},
                                                            {"left", i == 3 ? 900 : 100 + i}};
  }
  (*answers)["/api/v1/workers"].value = {{"snapshot", 412}, {"workers", workers}};
}

Json MadeThroughput(TimeMs now_ms) {
  Json points = Json::array();
  for (int m = 60; m > 0; --m)
    points.push_back({{"at", TimeAgo(now_ms, m * kMinute)}, {"pages_per_sec", 8.0 + (m * 7 % 13) / 2.0}});
  return {{"snapshot", 412}, {"points", points}};
}

Json MadeJobs(TimeMs now_ms) {
  Json jobs = Json::array();
  constexpr std::array<const char*, 5> kStates = {"running", "done", "failed", "stopped", "done"};
  constexpr std::array<const char*, 5> kVerbs = {"fetch", "generate", "fetch", "parse", "updatedb"};
  for (int i = 0; i < 25; ++i) {
    const std::string verb = kVerbs[static_cast<size_t>(i) % 5];
    Json job = {
        {"job", "20261119T21" + std::to_string(1000 + i).substr(1) + "Z-" + verb + "-0000000" + std::to_string(i % 10)},
        {"state", kStates[static_cast<size_t>(i) % 5]},
        {"verb", verb},
        {"now_ms", now_ms - i * 10 * kMinute},
        {"changed", i % 5 == 1 || i % 5 == 4},
        {"snapshot", 412 - i}};
    if (i % 5 != 0) job["seconds"] = 12.5 * (i + 1);
    if (i % 5 == 2) job["reason"] = std::string("killed: ") + kHostileText;
    if (i == 10) {
      job["application"] = "application_1700000000000_0012";
      job["application_state"] = "RUNNING";
      job["tracking_url"] = "http://resourcemanager.cluster:8088/proxy/application_1700000000000_0012/";
      job["maps"] = {3, 8};
    }
    jobs.push_back(job);
  }
  return {{"snapshot", 412}, {"jobs", jobs}};
}

Json MadeJob(TimeMs now_ms) {
  Json job = MadeJobs(now_ms)["jobs"][2];
  job["counters"] = {{"fetched", 812}, {"outcome.timeout", 3}, {kHostileText, 7}};
  return job;
}

}  // namespace trawl
