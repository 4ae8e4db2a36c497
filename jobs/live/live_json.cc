// What runs now, as JSON: the members of the API's answers.
#include <algorithm>

#include "jobs/live/live.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

namespace {

int64_t AgeOf(TimeMs seen_ms, TimeMs now_ms) { return std::max<int64_t>(now_ms - seen_ms, 0); }

Json NumberOrNull(const std::optional<int64_t>& number) { return number ? Json(*number) : Json(); }

Json ToJson(const LiveRate& rate) {
  return {{"over_ms", rate.over_ms},
          {"age_ms", rate.age_ms},
          {"pages_per_sec", rate.pages_per_sec},
          {"bytes_per_sec", rate.bytes_per_sec},
          {"fetched", rate.fetched},
          {"errors", rate.errors}};
}

Json ToJson(const LiveWaits& waits) {
  return {{"is_known", waits.is_known},
          {"hosts_active", waits.hosts_active},
          {"wait_for_delay", waits.wait_for_delay},
          {"next_ms", waits.next_ms},
          {"wait_for_names", waits.wait_for_names},
          {"wait_for_servers", waits.wait_for_servers},
          {"waits_for_disk", waits.waits_for_disk},
          {"waits_for_attempt", waits.waits_for_attempt},
          {"age_ms", waits.age_ms}};
}

Json ToJson(const LiveJob& job) {
  return {{"job", job.id},
          {"verb", job.verb},
          {"segment", job.segment.empty() ? Json() : Json(job.segment)},
          {"machine", job.machine},
          {"pid", job.pid},
          {"is_on_cluster", job.is_on_cluster},
          {"is_sure", job.is_sure},
          {"began", FormatTimestamp(job.began_ms)},
          {"text", HasMember(job.numbers, "text") ? job.numbers["text"] : Json()},
          {"age_ms", job.numbers.is_object() ? Json(job.age_ms) : Json()}};
}

Json ToJson(const LiveSegment& segment) {
  return {{"segment", segment.id},
          {"state", segment.state},
          {"opened", FormatTimestamp(segment.opened_ms)},
          {"until", FormatTimestamp(segment.until_ms)},
          {"lists", segment.lists},
          {"lists_begun", segment.lists_begun},
          {"lists_done", segment.lists_done},
          {"settled", segment.settled},
          {"left", segment.left},
          {"most_left", segment.most_left},
          {"pages", segment.sums.pages},
          {"bytes", segment.sums.bytes},
          {"fetched", segment.sums.fetched},
          {"errors", segment.sums.errors()},
          {"age_ms", segment.age_ms}};
}

Json CountsJson(const std::map<std::string, int64_t>& counts) {
  Json json = Json::object();
  for (const auto& [name, count] : counts) json[name] = count;
  return json;
}

}  // namespace

Json StatusJson(const LiveCrawl& live) {
  Json jobs = Json::array(), segments = Json::array();
  for (const LiveJob& job : live.jobs) jobs.push_back(ToJson(job));
  for (const LiveSegment& segment : live.segments) segments.push_back(ToJson(segment));
  Json workers = {{"active", 0}, {"silent", 0}, {"ended", 0}};
  for (const LiveWorker& worker : live.workers) {
    workers[TextOf(worker.state)] = workers[TextOf(worker.state)].get<int64_t>() + 1;
  }
  return {{"state", live.state},
          {"segment", live.segment.empty() ? Json() : Json(live.segment)},
          {"snapshot", live.snapshot},
          {"read_at", FormatTimestamp(live.read_ms)},
          {"pages_per_sec", live.rate.pages_per_sec},
          {"rate", ToJson(live.rate)},
          {"settled", live.settled()},
          {"left", live.left()},
          {"waits", ToJson(live.waits)},
          {"jobs", jobs},
          {"segments", segments},
          {"workers", workers},
          {"is_whole", live.is_whole},
          {"faults", live.faults}};
}

Json WorkerJson(const LiveWorker& worker, TimeMs now_ms) {
  return {{"id", worker.id},
          {"task", worker.task},
          {"segment", worker.segment},
          {"job", worker.job},
          {"machine", worker.machine},
          {"pid", worker.pid},
          {"since", FormatTimestamp(worker.since_ms)},
          {"last_seen_at", FormatTimestamp(worker.last_seen_ms)},
          {"lease_ms", worker.lease_ms},
          {"state", TextOf(worker.state)},
          {"age_ms", AgeOf(worker.last_seen_ms, now_ms)}};
}

Json WorkersJson(const LiveCrawl& live) {
  Json workers = Json::array();
  for (const LiveWorker& worker : live.workers) workers.push_back(WorkerJson(worker, live.read_ms));
  return {{"workers", std::move(workers)}};
}

Json WorkerStatsJson(const LiveWorker& worker, TimeMs now_ms) {
  return {{"id", worker.id},
          {"pages", worker.sums.pages},
          {"bytes", worker.sums.bytes},
          {"fetched", worker.sums.fetched},
          {"statuses", CountsJson(worker.sums.statuses)},
          {"outcomes", CountsJson(worker.sums.outcomes)},
          {"pages_per_sec", worker.pages_per_sec},
          {"settled", NumberOrNull(worker.settled)},
          {"left", NumberOrNull(worker.left)},
          {"parts", worker.parts},
          {"age_ms", AgeOf(worker.last_seen_ms, now_ms)}};
}

Json ToJson(const ThroughputPoint& point) {
  return {{"at", FormatTimestamp(point.at_ms)},
          {"step_ms", point.step_ms},
          {"pages", point.pages},
          {"bytes", point.bytes},
          {"fetched", point.fetched},
          {"errors", point.errors},
          {"pages_per_sec", point.pages_per_sec()}};
}

}  // namespace trawl
