// The door of jobs/live: what runs on a crawl now, read by another process from what the crawl stores anyway.
//
// Three sources, each with an age: the chains of attempts of the open segments (a fetch, wherever it runs), the files
// `jobs/<id>/_live-<n>.json` (a job on a machine of its own), and plans without a report (that a job runs at all). Start at
// LiveReader. Times of chains are by the crawl's clock, which --now may set; they are turned into the machine's time here.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "jobs/sums/answer_times.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"

namespace trawl {

// What a fetch has done: sums of the counters of parts.
struct LiveSums {
  int64_t pages = 0;  // bodies stored
  int64_t bytes = 0;  // decoded
  int64_t wire_bytes = 0;
  int64_t fetched = 0;  // page requests
  int64_t asked = 0;    // the same by their outcomes, and succeeded of them: jobs/sums/asked.h
  int64_t succeeded = 0;
  int64_t duplicates = 0;
  std::map<std::string, int64_t> outcomes;
  std::map<std::string, int64_t> statuses;
  AnswerTimes answers;

  static LiveSums FromCounters(const Json& counters);
  int64_t errors() const { return asked - succeeded; }
  void Add(const LiveSums& other);
  bool operator==(const LiveSums&) const = default;
};

// kSilent: no sign for two leases, or a process that is known to be gone, and no end: somebody has to fetch again. kEnded: it
// said so, its list is done, or a successor took it.
enum class WorkerState { kActive, kSilent, kEnded };
const char* TextOf(WorkerState state);

// An attempt to fetch one list.
struct LiveWorker {
  std::string id;  // the attempt and the number of its first entry; also the prefix of its files' names
  int task = 0;    // the list
  std::string segment;
  std::string job;
  std::string machine;
  int64_t pid = 0;
  TimeMs since_ms = 0;
  TimeMs last_seen_ms = 0;
  int64_t lease_ms = 0;
  WorkerState state = WorkerState::kActive;
  int64_t parts = 0;
  LiveSums sums;
  double pages_per_sec = 0;  // of the last five minutes until it was last seen
  // URLs of the list; not known of attempts of an older version.
  std::optional<int64_t> settled;
  std::optional<int64_t> left;
};

// A job that has a plan and no report, and whose process is not known to have ended.
struct LiveJob {
  std::string id;
  std::string verb;
  std::string segment;
  std::string machine;
  int64_t pid = 0;
  bool is_on_cluster = false;
  // Whether its process is known to live: it is of this machine, its live file is fresh, or an attempt of it is active.
  bool is_sure = false;
  TimeMs began_ms = 0;
  Json numbers;  // of its live file, null where it has none
  int64_t age_ms = 0;
};

// What URLs wait for, over all lists, as their workers said it last.
struct LiveWaits {
  bool is_known = false;          // whether anybody has said it yet
  int64_t hosts_active = 0;       // a request is on its way
  int64_t wait_for_delay = 0;     // hosts
  int64_t next_ms = 0;            // until the first of these hosts may be asked
  int64_t wait_for_names = 0;     // hosts
  int64_t wait_for_servers = 0;   // requests that take long
  int64_t waits_for_disk = 0;     // lists
  int64_t waits_for_attempt = 0;  // lists whose previous attempt still has its lease
  int64_t age_ms = 0;             // of the oldest of these numbers
  bool operator==(const LiveWaits&) const = default;
};

struct LiveRate {
  int64_t over_ms = 0;  // the time that the numbers are of: at most five minutes; 0 where nothing is known
  int64_t age_ms = 0;   // since the end of that time
  double pages_per_sec = 0;
  double bytes_per_sec = 0;
  int64_t fetched = 0;  // requests, and of them the errors: jobs/sums/asked.h
  int64_t errors = 0;
};

struct LiveSegment {
  std::string id;
  std::string state;  // "open", "fetched", "parsed" or "expired"
  bool is_fetched = false;
  bool is_parsed = false;
  TimeMs opened_ms = 0;
  TimeMs until_ms = 0;
  int64_t lists = 0;
  int64_t lists_begun = 0;
  int64_t lists_done = 0;
  // URLs of all lists; where no worker has said so, from the rows that are safe.
  int64_t settled = 0;
  int64_t left = 0;
  int64_t most_left = 0;  // of one list that is under way: a straggler's
  int64_t age_ms = 0;
  LiveSums sums;
};

struct LiveCrawl {
  TimeMs read_ms = 0;  // by the clock of the process that read it
  int64_t snapshot = 0;
  // "idle", or the verb of the job that began last: "generate", "fetch", "parse", "updatedb", "settle", …
  std::string state;
  std::string segment;                // of that job; may be empty
  std::vector<LiveJob> jobs;          // the newest last
  std::vector<LiveSegment> segments;  // the open ones, in the order in which they were opened
  std::vector<LiveWorker> workers;    // by segment, list and time
  LiveRate rate;
  LiveWaits waits;
  // Whether all entries of all chains were read. The first look at long chains may take several calls.
  bool is_whole = true;
  // Files that could not be read, one sentence each; what they say is missing here.
  std::vector<std::string> faults;

  int64_t settled() const;
  int64_t left() const;
  const LiveWorker* FindWorker(const std::string& id) const;
};

// A step of the throughput: [at, at + step).
struct ThroughputPoint {
  TimeMs at_ms = 0;
  int64_t step_ms = 0;
  int64_t pages = 0;
  int64_t bytes = 0;
  int64_t fetched = 0;  // requests, and of them the errors: jobs/sums/asked.h
  int64_t errors = 0;
  double pages_per_sec() const;
  bool operator==(const ThroughputPoint&) const = default;
};

enum class ThroughputStep { kMinute, kFiveMinutes, kHour, kRound };
// "1m", "5m", "1h", "round"; a usage error names these.
arrow::Result<ThroughputStep> ThroughputStepOf(const std::string& text);

struct ThroughputRange {
  TimeMs since_ms = 0;
  TimeMs until_ms = 0;
  ThroughputStep step = ThroughputStep::kMinute;
};

// Remembers what it has read, so that asking again costs what is new. A server keeps one per crawl. Any thread: while one
// reads, others get what was read last, and before anything was read they wait for that one. So many callers cost as one.
class LiveReader {
 public:
  // Both must outlive it.
  LiveReader(Store* store, const Clock& clock);
  ~LiveReader();
  LiveReader(const LiveReader&) = delete;
  LiveReader& operator=(const LiveReader&) = delete;

  // `manifest` is the present. What was read less than a second ago is given again, also a failure. `stop` ends the reading and
  // the wait for it.
  arrow::Result<std::shared_ptr<const LiveCrawl>> Read(const Manifest& manifest, const StopToken& stop);

  // Points without a request are left out. Of open segments the parts tell it, of applied ones their round documents. The
  // steps of a long round may be wider than a minute, then its points are as wide. At most kMostPoints: the newest.
  arrow::Result<std::vector<ThroughputPoint>> Throughput(const Manifest& manifest, const ThroughputRange& range,
                                                         const StopToken& stop);
  static constexpr size_t kMostPoints = 10'000;

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

// One reading without memory, for a command that looks once.
arrow::Result<LiveCrawl> ReadLive(Store* store, const Manifest& manifest, const Clock& clock, const StopToken& stop);

// {"state", "segment", "snapshot", "read_at", "pages_per_sec", "rate": {…, "age_ms"}, "settled", "left", "waits": {…, "age_ms"},
// "jobs": […], "segments": […], "workers": {"active", "silent", "ended"}, "is_whole"}
Json StatusJson(const LiveCrawl& live);
// {"id", "task", "segment", "job", "machine", "pid", "since", "last_seen_at", "lease_ms", "state", "age_ms"}
Json WorkerJson(const LiveWorker& worker, TimeMs now_ms);
// {"workers": […]}
Json WorkersJson(const LiveCrawl& live);
// {"id", "pages", "bytes", "fetched", "statuses", "outcomes", "pages_per_sec", "settled", "left", "parts", "age_ms"}
Json WorkerStatsJson(const LiveWorker& worker, TimeMs now_ms);
// {"at", "step_ms", "pages", "bytes", "fetched", "errors", "pages_per_sec"}
Json ToJson(const ThroughputPoint& point);

}  // namespace trawl
