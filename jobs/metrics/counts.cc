#include "jobs/metrics/counts.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "formats/documents/sealed_json.h"
#include "formats/rows/robots_row.h"
#include "formats/rows/some_columns.h"
#include "formats/url/key.h"
#include "jobs/stats/stored_bytes.h"
#include "runtime/root/layout.h"
#include "runtime/store/status.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kMostReportBytes = int64_t{256} << 20;
// Counts older than this are made again, and at most a twentieth of the time is spent on it.
constexpr int64_t kOldMs = 60'000;
constexpr int64_t kShare = 20;
// After a failure.
constexpr int64_t kRetryMs = 10'000;
constexpr size_t kMostJobs = 50'000;
constexpr size_t kMostVerbs = 64;

Result<int64_t> CountUnreachable(Store* store, const Manifest& manifest, const StopToken& stop) {
  ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<RobotsRow>(store, manifest));
  int64_t hosts = 0;
  std::string last;
  const ScanOptions scan = {.wanted = Columns<RobotsRow>({"key", "failures"}).Flags()};
  ARROW_RETURN_NOT_OK(ForEachRow<RobotsRow>(table, scan, [&](const RobotsRow& row) -> Status {
    ARROW_RETURN_NOT_OK(stop.Check());
    if (row.failures == 0) return Status::OK();
    const std::string_view host = HostPartOfKey(row.key);
    if (host != last) ++hosts;
    last.assign(host);
    return Status::OK();
  }));
  return hosts;
}

// How a job ended, by its documents; nothing while it has not.
struct JobEnd {
  std::string verb;
  std::string result;
  bool is_final = false;
};
Result<std::optional<JobEnd>> ReadEnd(Store* store, const std::string& job) {
  for (const std::string& path : {ReportPath(job), JobEndPath(job)}) {
    const Result<std::string> text = store->ReadWhole(path, kMostReportBytes);
    if (!text.ok() && IsNotFound(text.status())) continue;
    ARROW_RETURN_NOT_OK(text.status());
    const bool is_report = path == ReportPath(job);
    const Result<Json> json = OpenSealedJson(*text, path);
    if (!json.ok()) return JobEnd{"unknown", "failed", true};
    JobEnd end = {.verb = GetString(*json, "verb").ValueOr(""), .result = "done", .is_final = is_report};
    if (end.verb.empty()) {
      // "20260101T000000Z-fetch-875cf6ea"
      const size_t first = job.find('-'), last = job.rfind('-');
      end.verb = first < last ? job.substr(first + 1, last - first - 1) : "unknown";
    }
    if (!is_report) end.result = GetString(*json, "state").ValueOr("failed") == "stopped" ? "stopped" : "failed";
    if (is_report && HasMember(*json, "lost")) end.result = "done_again";
    return end;
  }
  return std::nullopt;
}

}  // namespace

Result<MetricCounts> CountForMetrics(Store* store, const Manifest& manifest, TimeMs now_ms, int threads,
                                     const StopToken& stop) {
  MetricCounts counts = {.snapshot = manifest.number, .counted_ms = now_ms};
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(store, manifest));
  ARROW_ASSIGN_OR_RAISE(counts.urls, CountUrls(urls, now_ms, threads, stop));
  counts.urls.domains.clear();
  ARROW_ASSIGN_OR_RAISE(const auto hosts, Table::Open<HostRow>(store, manifest));
  ARROW_ASSIGN_OR_RAISE(counts.holds, CountHolds(hosts, now_ms, threads, stop));
  ARROW_ASSIGN_OR_RAISE(counts.robots_unreachable, CountUnreachable(store, manifest, stop));
  ARROW_ASSIGN_OR_RAISE(counts.filters, MeasureSomeFilters(*urls));
  ARROW_ASSIGN_OR_RAISE(const StoredBytes bytes, ReadStoredBytes(store, manifest, now_ms));
  counts.segment_bytes = bytes.segments;
  return counts;
}

Result<bool> JobResults::Update(Store* store, const StopToken& stop) {
  ARROW_ASSIGN_OR_RAISE(const auto entries, store->List(kJobsFolder, /*recursive=*/false));
  int read = 0;
  // The newest first: their paths end with the time.
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    const std::string job = entry->path.substr(entry->path.rfind('/') + 1);
    if (!entry->is_folder || !IsValidId(job) || known_.contains(job)) continue;
    if (read == kMostNew) return false;
    if (known_.size() >= kMostJobs) return true;
    ARROW_RETURN_NOT_OK(stop.Check());
    ++read;
    ARROW_ASSIGN_OR_RAISE(const std::optional<JobEnd> end, ReadEnd(store, job));
    if (!end) continue;
    ended_.erase(job);
    if (end->is_final) {
      known_.insert(job);
      ++done_[{end->verb, end->result}];
    } else if (ended_.size() < kMostJobs) {
      ended_[job] = {end->verb, end->result};
    }
  }
  return true;
}

std::map<std::pair<std::string, std::string>, int64_t> JobResults::Results() const {
  auto results = done_;
  for (const auto& [job, ended] : ended_) ++results[ended];
  while (results.size() > kMostVerbs * 4) results.erase(std::prev(results.end()));
  return results;
}

// -- on a thread ------------------------------------------------------------------------------------------------------

struct CountKeeper::State {
  State(Store* a_store, const Clock& a_clock, int a_threads) : store(a_store), clock(a_clock), threads(a_threads) {}

  Store* const store;
  const Clock& clock;
  const int threads;
  JobResults jobs;  // used by the thread alone

  std::mutex mutex;  // guards what follows
  std::condition_variable changed;
  bool ends = false;
  std::optional<StopSource> stop;
  std::optional<Manifest> wanted;
  std::shared_ptr<const MetricCounts> counts;
  std::map<std::pair<std::string, std::string>, int64_t> results;
  bool has_results = false;
  Status failure;
  int64_t failed_at_ms = 0;
  std::thread thread;

  bool IsOld() const {
    if (!counts) return true;
    return clock.NowMs() - counts->counted_ms > std::max(kOldMs, kShare * counts->took_ms);
  }
  bool MustCount() const {
    if (!wanted) return false;
    if (!failure.ok() && clock.MonotonicMs() - failed_at_ms < kRetryMs) return false;
    return !counts || counts->snapshot < wanted->number || IsOld();
  }
  void Want(const Manifest& present);
  void Run();
  void CountJobs(std::unique_lock<std::mutex>* lock, const StopToken& token);
};

// REQUIRES: the mutex is held.
void CountKeeper::State::Want(const Manifest& present) {
  if (!wanted || wanted->number < present.number) wanted = present;
  if (!thread.joinable()) {
    Result<StopSource> source = StopSource::Make();
    if (!source.ok()) {
      failure = source.status();
      return;
    }
    stop = *std::move(source);
    thread = std::thread([this] { Run(); });
  }
  changed.notify_all();
}

void CountKeeper::State::Run() {
  constexpr auto kLook = std::chrono::seconds(1);
  std::unique_lock<std::mutex> lock(mutex);
  const StopToken token = stop->token();
  while (!ends) {
    if (!MustCount()) {
      changed.wait_for(lock, kLook);
      continue;
    }
    const Manifest manifest = *wanted;
    lock.unlock();
    const int64_t began_ms = clock.MonotonicMs();
    Result<MetricCounts> counted = CountForMetrics(store, manifest, clock.NowMs(), threads, token);
    const int64_t ended_ms = clock.MonotonicMs();
    lock.lock();
    failure = counted.status();
    failed_at_ms = ended_ms;
    if (counted.ok()) {
      counted->took_ms = ended_ms - began_ms;
      counts = std::make_shared<const MetricCounts>(*std::move(counted));
    }
    changed.notify_all();
    CountJobs(&lock, token);
  }
}

// What cannot be read now is read with the next counts.
void CountKeeper::State::CountJobs(std::unique_lock<std::mutex>* lock, const StopToken& token) {
  bool has_all = false;
  while (!has_all && !ends) {
    lock->unlock();
    const Result<bool> read = jobs.Update(store, token);
    auto known = jobs.Results();
    lock->lock();
    results = std::move(known);
    has_all = !read.ok() || *read;
    has_results = has_results || has_all;
    changed.notify_all();
    if (MustCount()) return;
  }
}

CountKeeper::CountKeeper(Store* store, const Clock& clock, int threads)
    : state_(std::make_unique<State>(store, clock, threads)) {}

CountKeeper::~CountKeeper() {
  {
    const std::lock_guard<std::mutex> lock(state_->mutex);
    state_->ends = true;
    if (state_->stop) state_->stop->Stop();
  }
  state_->changed.notify_all();
  if (state_->thread.joinable()) state_->thread.join();
}

std::shared_ptr<const MetricCounts> CountKeeper::Get(const Manifest& present) {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  state_->Want(present);
  return state_->counts;
}

std::map<std::pair<std::string, std::string>, int64_t> CountKeeper::Jobs() {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  return state_->results;
}

bool CountKeeper::Wait(const Manifest& present, int64_t most_ms) {
  std::unique_lock<std::mutex> lock(state_->mutex);
  state_->failure = Status::OK();
  state_->Want(present);
  const auto is_over = [&] {
    const bool is_counted = state_->counts && state_->counts->snapshot >= present.number && state_->has_results;
    return is_counted || !state_->failure.ok();
  };
  return state_->changed.wait_for(lock, std::chrono::milliseconds(most_ms), is_over) && state_->failure.ok();
}

}  // namespace trawl
