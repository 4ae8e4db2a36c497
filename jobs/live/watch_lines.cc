#include <algorithm>
#include <cstdio>

#include "jobs/live/watch.h"
#include "runtime/terminal/text.h"
#include "runtime/terminal/timestamp.h"
#include "runtime/terminal/units.h"

namespace trawl {

namespace {

constexpr size_t kNameColumns = 10;

std::string Line(const std::string& name, const std::string& text) { return PadRight(name, kNameColumns) + text; }

std::string OneDecimal(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string Ago(int64_t age_ms) { return age_ms < 1'000 ? "just now" : ReadableDuration(age_ms) + " ago"; }

std::string RateText(const LiveRate& rate) {
  if (rate.over_ms == 0) return "nothing in the last 5 minutes";
  std::string text = OneDecimal(rate.pages_per_sec) + " pages/s, " +
                     ReadableSize(static_cast<int64_t>(rate.bytes_per_sec)) + "/s over " +
                     ReadableDuration(rate.over_ms);
  if (rate.fetched > 0)
    text += "; " + ReadableCount(rate.errors, "error") + " in " + ReadableCount(rate.fetched, "request");
  return text + " (as of " + Ago(rate.age_ms) + ")";
}

std::string WaitsText(const LiveWaits& waits) {
  std::string text = ReadableCount(waits.hosts_active, "host") + " active";
  const auto add = [&text](int64_t count, const char* noun, const std::string& what) {
    if (count > 0) text += ", " + ReadableCount(count, noun) + " " + what;
  };
  add(waits.wait_for_delay, "host", "waiting for the delay (next in " + ReadableDuration(waits.next_ms) + ")");
  add(waits.wait_for_names, "host", "waiting for a name server");
  add(waits.wait_for_servers, "request", "waiting for a slow server");
  add(waits.waits_for_disk, "list", "waiting for the disk");
  add(waits.waits_for_attempt, "list", "waiting for another attempt that holds it");
  return text + " (as of " + Ago(waits.age_ms) + ")";
}

// Until the lists are done, at the rates of those that are under way: what is left by their sum, and no less than the
// slowest needs for its own. 0 where that is not known, as of a list that gave no page yet.
int64_t LeftMs(const LiveSegment& segment, const std::vector<LiveWorker>& workers) {
  double together = 0, slowest_sec = 0;
  for (const LiveWorker& worker : workers) {
    if (worker.segment != segment.id || worker.state != WorkerState::kActive || worker.left == 0) continue;
    if (worker.pages_per_sec <= 0) return 0;
    const int64_t left = std::min(worker.left.value_or(0), segment.left);
    slowest_sec = std::max(slowest_sec, static_cast<double>(left) / worker.pages_per_sec);
    together += worker.pages_per_sec;
  }
  if (together <= 0) return 0;
  return static_cast<int64_t>(1000 * std::max(slowest_sec, static_cast<double>(segment.left) / together));
}

std::string SegmentText(const LiveSegment& segment, const std::vector<LiveWorker>& workers) {
  std::string text = segment.id + " " + segment.state;
  if (segment.lists == 0 && segment.lists_begun == 0) return text;
  text += ": " + ReadableCount(segment.settled) + " of " + ReadableCount(segment.settled + segment.left) +
          " done; lists: " + ReadableCount(segment.lists_done) + " of " + ReadableCount(segment.lists) + " done, " +
          ReadableCount(segment.lists_begun - segment.lists_done) + " under way";
  if (segment.most_left > 0) text += ", " + ReadableCount(segment.most_left) + " left on the longest";
  const int64_t left_ms = LeftMs(segment, workers);
  if (left_ms > 0) text += "; " + ReadableDuration(left_ms) + " left at the rate of these lists";
  return text;
}

std::string WorkerText(const LiveWorker& worker, TimeMs now_ms) {
  std::string text = PadRight(std::to_string(worker.task), 6) + PadRight(TextOf(worker.state), 8) +
                     PadRight("seen " + Ago(std::max<int64_t>(now_ms - worker.last_seen_ms, 0)), 22) +
                     PadRight(OneDecimal(worker.pages_per_sec) + " pages/s", 16) +
                     PadRight(ReadableCount(worker.sums.pages, "page"), 16);
  if (worker.left) text += PadRight(ReadableCount(*worker.left) + " left", 16);
  return text + "pid " + std::to_string(worker.pid) + "  " + worker.id;
}

std::string JobText(const LiveJob& job) {
  std::string text = job.verb + "  " + job.id;
  if (HasMember(job.numbers, "text") && job.numbers["text"].is_string()) {
    text += ": " + job.numbers["text"].get<std::string>() + " (" + Ago(job.age_ms) + ")";
  } else if (job.is_on_cluster) {
    text += job.is_sure ? " on a cluster" : " on a cluster, without a sign here; trawl jobs status asks YARN";
  }
  return text;
}

int RankOf(WorkerState state) { return state == WorkerState::kSilent ? 0 : state == WorkerState::kActive ? 1 : 2; }

}  // namespace

std::vector<std::string> WatchLines(const LiveCrawl& live, size_t most_workers) {
  std::vector<std::string> lines;
  lines.push_back(Line("now", FormatTimestamp(live.read_ms / 1000 * 1000) + "  snapshot " +
                                  std::to_string(live.snapshot) + "  " + live.state));
  lines.push_back(Line("rate", RateText(live.rate)));
  if (live.state == "fetch" && live.waits.is_known) lines.push_back(Line("hosts", WaitsText(live.waits)));
  for (const LiveSegment& segment : live.segments) {
    lines.push_back(Line("segment", SegmentText(segment, live.workers)));
  }
  for (const LiveJob& job : live.jobs) lines.push_back(Line("job", JobText(job)));
  std::vector<const LiveWorker*> workers;
  for (const LiveWorker& worker : live.workers) workers.push_back(&worker);
  std::stable_sort(workers.begin(), workers.end(),
                   [](const LiveWorker* a, const LiveWorker* b) { return RankOf(a->state) < RankOf(b->state); });
  const size_t shown = std::min(workers.size(), most_workers);
  for (size_t i = 0; i < shown; ++i) lines.push_back(Line("list", WorkerText(*workers[i], live.read_ms)));
  if (shown < workers.size())
    lines.push_back(Line("", "and " + ReadableCount(static_cast<int64_t>(workers.size() - shown), "worker") + " more"));
  if (!live.is_whole) lines.push_back(Line("", "older entries of long chains are still being read"));
  for (const std::string& fault : live.faults) lines.push_back(Line("fault", fault));
  return lines;
}

}  // namespace trawl
