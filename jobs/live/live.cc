#include "jobs/live/live.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "jobs/live/job_watch.h"
#include "jobs/live/known_minutes.h"
#include "jobs/live/segment_watch.h"
#include "runtime/process/own_process.h"
#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kRateMs = 5 * 60'000;
// What was read is given again for this time, and for longer where reading takes long.
constexpr int64_t kFreshMs = 1'000;
constexpr int64_t kFreshShare = 10;
// One reading may take this long until it leaves older entries to the next.
constexpr int64_t kMostReadMs = 2'000;
constexpr std::chrono::milliseconds kLookForStop(50);
// A job's file is written every three seconds.
constexpr int64_t kNumbersFreshMs = 15'000;

bool IsStepOfRound(const std::string& verb) {
  static const std::set<std::string> steps = {"generate", "fetch", "parse", "updatedb", "settle", "reparse", "graph"};
  return steps.contains(verb);
}

// The job that says what the crawl does: the newest step of a round, else the newest one. Those that surely run come
// first.
const LiveJob* Telling(const std::vector<LiveJob>& jobs) {
  const LiveJob* best = nullptr;
  const auto rank = [](const LiveJob& job) { return (job.is_sure ? 2 : 0) + (IsStepOfRound(job.verb) ? 1 : 0); };
  for (const LiveJob& job : jobs) {
    if (best == nullptr || rank(job) >= rank(*best)) best = &job;
  }
  return best;
}

WorkerState StateOf(const SeenAttempt& attempt, bool is_over, TimeMs last_seen_ms, TimeMs now_ms) {
  if (attempt.has_ended || is_over) return WorkerState::kEnded;
  const bool is_late = now_ms - last_seen_ms > 2 * attempt.lease_ms;
  return is_late || IsKnownDead(attempt.process) ? WorkerState::kSilent : WorkerState::kActive;
}

// "20260101T000000Z-fetch-875cf6ea-m0-0": the job is what comes before the task.
std::string JobOfAttempt(const std::string& attempt) {
  const size_t number = attempt.rfind('-');
  const size_t task = number == std::string::npos || number == 0 ? number : attempt.rfind('-', number - 1);
  return task == std::string::npos ? attempt : attempt.substr(0, task);
}

// The sum of what spans tell of (from, to], each by the share of it that lies there.
struct RateSums {
  double pages = 0, bytes = 0, fetched = 0, errors = 0;
  TimeMs first_ms = 0, last_ms = 0;

  void Add(const LiveSpan& span, int64_t offset_ms, TimeMs from, TimeMs to) {
    const TimeMs begin = std::max(span.from_ms + offset_ms, from), end = std::min(span.at_ms + offset_ms, to);
    const int64_t whole_ms = span.at_ms - span.from_ms;
    if (end <= begin || whole_ms <= 0) return;
    const double share = static_cast<double>(end - begin) / static_cast<double>(whole_ms);
    pages += share * static_cast<double>(span.pages);
    bytes += share * static_cast<double>(span.bytes);
    fetched += share * static_cast<double>(span.fetched);
    errors += share * static_cast<double>(span.errors);
    first_ms = last_ms == 0 ? begin : std::min(first_ms, begin);
    last_ms = std::max(last_ms, end);
  }
  double PerSecond(double sum) const {
    return last_ms <= first_ms ? 0 : 1000 * sum / static_cast<double>(last_ms - first_ms);
  }
};

void AddSpans(const SeenAttempt& attempt, int64_t offset_ms, TimeMs now_ms, RateSums* rate) {
  for (const LiveSpan& span : attempt.spans) rate->Add(span, offset_ms, now_ms - kRateMs, now_ms);
  rate->Add(attempt.tail, offset_ms, now_ms - kRateMs, now_ms);
}

LiveWorker WorkerOf(const SeenAttempt& attempt, const std::string& segment, int task, int64_t offset_ms) {
  LiveWorker worker = {.id = attempt.id(),
                       .task = task,
                       .segment = segment,
                       .job = JobOfAttempt(attempt.attempt),
                       .machine = attempt.process.machine,
                       .pid = attempt.process.pid,
                       .since_ms = attempt.since_ms + offset_ms,
                       .last_seen_ms = attempt.last_ms + offset_ms,
                       .lease_ms = attempt.lease_ms,
                       .parts = attempt.parts,
                       .sums = attempt.sums};
  if (attempt.gauges) {
    worker.settled = attempt.gauges->settled;
    worker.left = attempt.gauges->left;
  }
  RateSums rate;
  AddSpans(attempt, offset_ms, worker.last_seen_ms, &rate);
  worker.pages_per_sec = rate.PerSecond(rate.pages);
  return worker;
}

void AddWaits(const FetchGauges& gauges, int64_t age_ms, LiveWaits* waits) {
  waits->is_known = true;
  waits->hosts_active += gauges.hosts_active;
  if (gauges.wait_for_delay > 0) {
    waits->next_ms = waits->wait_for_delay == 0 ? gauges.next_ms : std::min(waits->next_ms, gauges.next_ms);
  }
  waits->wait_for_delay += gauges.wait_for_delay;
  waits->wait_for_names += gauges.wait_for_names;
  waits->wait_for_servers += gauges.wait_for_servers;
  waits->waits_for_disk += gauges.waits_for_disk ? 1 : 0;
  waits->waits_for_attempt += gauges.waits_for_attempt.empty() ? 0 : 1;
  waits->age_ms = std::max(waits->age_ms, age_ms);
}

// Reads a crawl's parts and puts them together.
class Assembly {
 public:
  Assembly(Store* store, JobWatch* jobs, TimeMs now_ms, LiveCrawl* live)
      : store_(store), jobs_(jobs), now_ms_(now_ms), live_(*live) {}

  void Add(const SegmentWatch& watch);
  void Finish(const Manifest& manifest);

 private:
  void AddChain(const SegmentWatch& watch, const ChainLog& chain, LiveSegment* segment);
  void AddNumbersOf(const LiveJob& job);
  void TakeProgressOf(const LiveJob& job);

  Store* const store_;
  JobWatch* const jobs_;
  const TimeMs now_ms_;
  LiveCrawl& live_;
  RateSums rate_;
  std::set<std::string> active_jobs_;
  struct Shown {
    std::string job;
    FetchGauges gauges;
    int64_t age_ms = 0;
  };
  std::vector<Shown> shown_;  // by the active workers
};

void Assembly::AddChain(const SegmentWatch& watch, const ChainLog& chain, LiveSegment* segment) {
  const auto list = static_cast<size_t>(chain.task());
  const int64_t urls = list < watch.lists().size() ? watch.lists()[list] : 0;
  ++segment->lists_begun;
  segment->sums.Add(chain.sums());
  const bool is_over = watch.is_fetched() || chain.is_done();
  std::optional<FetchGauges> gauges;
  bool is_active = false;
  for (const SeenAttempt& attempt : chain.attempts()) {
    const std::string job = JobOfAttempt(attempt.attempt);
    const int64_t offset_ms = jobs_->OffsetOf(store_, job);
    LiveWorker worker = WorkerOf(attempt, segment->id, chain.task(), offset_ms);
    worker.state = StateOf(attempt, is_over, worker.last_seen_ms, now_ms_);
    AddSpans(attempt, offset_ms, now_ms_, &rate_);
    if (attempt.gauges) gauges = attempt.gauges;
    if (worker.state == WorkerState::kActive) {
      is_active = true;
      active_jobs_.insert(job);
      const int64_t age_ms = std::max<int64_t>(now_ms_ - worker.last_seen_ms, 0);
      if (attempt.gauges) shown_.push_back({job, *attempt.gauges, age_ms});
      segment->age_ms = std::max(segment->age_ms, age_ms);
    }
    live_.workers.push_back(std::move(worker));
  }
  if (is_over) {
    ++segment->lists_done;
    segment->settled += gauges ? gauges->settled : urls;
    return;
  }
  // An older version does not say how far it is. A row per request is more than a row per URL, so this is a guess.
  const int64_t settled = gauges ? gauges->settled : std::min(chain.sums().fetched, urls);
  const int64_t left = gauges ? gauges->left : urls - settled;
  segment->settled += settled;
  segment->left += left;
  if (is_active) segment->most_left = std::max(segment->most_left, left);
}

void Assembly::Add(const SegmentWatch& watch) {
  const OpenSegment& open = watch.segment();
  LiveSegment segment = {.id = open.id, .opened_ms = open.opened_ms, .until_ms = open.until_ms};
  segment.state = open.until_ms <= now_ms_ ? "expired"
                  : watch.is_parsed()      ? "parsed"
                  : watch.is_fetched()     ? "fetched"
                                           : "open";
  segment.is_fetched = watch.is_fetched();
  segment.is_parsed = watch.is_parsed();
  segment.lists = static_cast<int64_t>(watch.lists().size());
  std::set<size_t> begun;
  for (const auto& chain : watch.chains()) {
    begun.insert(static_cast<size_t>(chain->task()));
    AddChain(watch, *chain, &segment);
  }
  for (size_t list = 0; list < watch.lists().size(); ++list) {
    if (!begun.contains(list) && !watch.is_fetched()) segment.left += watch.lists()[list];
  }
  live_.is_whole = live_.is_whole && watch.is_whole();
  live_.segments.push_back(std::move(segment));
}

// A local job's file is younger than the entries of its chains.
void Assembly::AddNumbersOf(const LiveJob& job) {
  const bool has_numbers = HasMember(job.numbers, "gauges") && job.numbers["gauges"].is_object();
  if (job.verb != "fetch" || !has_numbers || job.age_ms > kNumbersFreshMs) return;
  std::erase_if(shown_, [&job](const Shown& shown) { return shown.job == job.id; });
  shown_.push_back({job.id, FetchGaugesFromJson(job.numbers["gauges"]), job.age_ms});
  TakeProgressOf(job);
  const Json& gauges = job.numbers["gauges"];
  const auto rate = [&gauges](const char* name) {
    return HasMember(gauges, name) && gauges[name].is_number() ? gauges[name].get<double>() : 0;
  };
  if (rate_.last_ms > rate_.first_ms) return;
  // Before the first entry the job itself knows its rate.
  live_.rate = {.over_ms = 1'000,
                .age_ms = job.age_ms,
                .pages_per_sec = rate("pages_per_second"),
                .bytes_per_sec = rate("bytes_per_second")};
}

// The numbers are those of all lists of the segment where every list has a task that showed itself.
void Assembly::TakeProgressOf(const LiveJob& job) {
  const int64_t tasks = GetInt(job.numbers["gauges"], "tasks").ValueOr(0);
  for (LiveSegment& segment : live_.segments) {
    if (segment.id != job.segment || tasks < segment.lists || segment.state != "open") continue;
    const FetchGauges gauges = FetchGaugesFromJson(job.numbers["gauges"]);
    segment.settled = gauges.settled;
    segment.left = gauges.left;
    segment.most_left = std::min(segment.most_left, segment.left);
    segment.age_ms = job.age_ms;
  }
}

void Assembly::Finish(const Manifest& manifest) {
  live_.jobs = jobs_->Running(manifest, active_jobs_, now_ms_);
  if (rate_.last_ms > rate_.first_ms) {
    live_.rate = {.over_ms = rate_.last_ms - rate_.first_ms,
                  .age_ms = std::max<int64_t>(now_ms_ - rate_.last_ms, 0),
                  .pages_per_sec = rate_.PerSecond(rate_.pages),
                  .bytes_per_sec = rate_.PerSecond(rate_.bytes),
                  .fetched = static_cast<int64_t>(rate_.fetched + 0.5),
                  .errors = static_cast<int64_t>(rate_.errors + 0.5)};
  }
  for (const LiveJob& job : live_.jobs) AddNumbersOf(job);
  for (const Shown& shown : shown_) AddWaits(shown.gauges, shown.age_ms, &live_.waits);
  const LiveJob* const telling = Telling(live_.jobs);
  live_.state = telling != nullptr ? telling->verb : active_jobs_.empty() ? "idle" : "fetch";
  live_.segment = telling != nullptr ? telling->segment : "";
}

}  // namespace

const char* TextOf(WorkerState state) {
  switch (state) {
    case WorkerState::kActive:
      return "active";
    case WorkerState::kSilent:
      return "silent";
    case WorkerState::kEnded:
      return "ended";
  }
  return "";
}

int64_t LiveCrawl::settled() const {
  int64_t sum = 0;
  for (const LiveSegment& open : segments) sum += open.settled;
  return sum;
}

int64_t LiveCrawl::left() const {
  int64_t sum = 0;
  for (const LiveSegment& open : segments) sum += open.left;
  return sum;
}

const LiveWorker* LiveCrawl::FindWorker(const std::string& id) const {
  const auto found =
      std::find_if(workers.begin(), workers.end(), [&id](const auto& worker) { return worker.id == id; });
  return found == workers.end() ? nullptr : &*found;
}

// -- the reader -------------------------------------------------------------------------------------------------------

struct LiveReader::State {
  State(Store* a_store, const Clock& a_clock) : store(a_store), clock(a_clock) {}

  Store* const store;
  const Clock& clock;
  std::timed_mutex reads;  // held by the one that reads; guards these
  JobWatch jobs;
  std::vector<std::unique_ptr<SegmentWatch>> segments;
  KnownMinutes minutes;
  std::mutex given;  // guards these
  std::shared_ptr<const LiveCrawl> last;
  int64_t fresh_until_ms = 0;  // these by the monotonic clock
  int64_t read_at_ms = INT64_MIN;
  Status failure;  // of the last reading
  int64_t failed_at_ms = INT64_MIN;

  std::shared_ptr<const LiveCrawl> Given(bool must_be_fresh, int64_t snapshot) {
    const std::lock_guard<std::mutex> lock(given);
    const bool is_fresh = last && clock.MonotonicMs() < fresh_until_ms && last->snapshot >= snapshot;
    return is_fresh || !must_be_fresh ? last : nullptr;
  }
  // What a reading gave, or why it failed, that ended at that time or later; null and OK where there was none.
  std::shared_ptr<const LiveCrawl> ReadSince(int64_t ms) {
    const std::lock_guard<std::mutex> lock(given);
    return read_at_ms >= ms ? last : nullptr;
  }
  Status FailureSince(int64_t ms) {
    const std::lock_guard<std::mutex> lock(given);
    return failed_at_ms >= ms && failed_at_ms > read_at_ms ? failure : Status::OK();
  }
  // Waits until nobody reads.
  Result<std::unique_lock<std::timed_mutex>> Enter(const StopToken& stop) {
    std::unique_lock<std::timed_mutex> lock(reads, std::defer_lock);
    while (!lock.try_lock_for(kLookForStop)) ARROW_RETURN_NOT_OK(stop.Check());
    return lock;
  }
  void KeepSegments(const Manifest& manifest);
  // REQUIRES for both: the caller holds `reads`.
  Result<std::shared_ptr<const LiveCrawl>> Read(const Manifest& manifest, const StopToken& stop);
  Result<std::shared_ptr<const LiveCrawl>> ReadNew(const Manifest& manifest, const StopToken& stop);
};

void LiveReader::State::KeepSegments(const Manifest& manifest) {
  std::vector<std::unique_ptr<SegmentWatch>> kept;
  for (const OpenSegment& open : manifest.open_segments) {
    const auto known = std::find_if(segments.begin(), segments.end(), [&open](const auto& watch) {
      return watch != nullptr && watch->segment() == open;
    });
    kept.push_back(known != segments.end() ? std::move(*known) : std::make_unique<SegmentWatch>(open));
  }
  segments = std::move(kept);
}

Result<std::shared_ptr<const LiveCrawl>> LiveReader::State::Read(const Manifest& manifest, const StopToken& stop) {
  auto live = ReadNew(manifest, stop);
  // That one caller is stopped says nothing to the others.
  if (live.ok() || KindOf(live.status()) == StatusKind::kStopped) return live;
  const std::lock_guard<std::mutex> lock(given);
  failure = live.status();
  failed_at_ms = clock.MonotonicMs();
  return live;
}

Result<std::shared_ptr<const LiveCrawl>> LiveReader::State::ReadNew(const Manifest& manifest, const StopToken& stop) {
  const int64_t began_ms = clock.MonotonicMs();
  auto live = std::make_shared<LiveCrawl>();
  live->snapshot = manifest.number;
  KeepSegments(manifest);
  ARROW_RETURN_NOT_OK(jobs.Update(store, clock, stop));
  for (const auto& [job, fault] : jobs.faults()) live->faults.push_back(fault);
  const LiveBudget budget = {.until_ms = began_ms + kMostReadMs};
  for (const auto& watch : segments) ARROW_RETURN_NOT_OK(watch->Update(store, clock, stop, budget, &live->faults));
  live->read_ms = clock.NowMs();
  Assembly assembly(store, &jobs, live->read_ms, live.get());
  for (const auto& watch : segments) assembly.Add(*watch);
  assembly.Finish(manifest);
  const std::lock_guard<std::mutex> lock(given);
  const int64_t now_ms = clock.MonotonicMs();
  fresh_until_ms = live->is_whole ? now_ms + std::max(kFreshMs, kFreshShare * (now_ms - began_ms)) : now_ms;
  last = live;
  read_at_ms = now_ms;
  return last;
}

LiveReader::LiveReader(Store* store, const Clock& clock) : state_(std::make_unique<State>(store, clock)) {}
LiveReader::~LiveReader() = default;

Result<std::shared_ptr<const LiveCrawl>> LiveReader::Read(const Manifest& manifest, const StopToken& stop) {
  if (auto fresh = state_->Given(/*must_be_fresh=*/true, manifest.number)) return fresh;
  const int64_t came_ms = state_->clock.MonotonicMs();
  std::unique_lock<std::timed_mutex> lock(state_->reads, std::try_to_lock);
  const bool has_waited = !lock.owns_lock();
  if (has_waited) {
    // Another thread reads, perhaps from a slow store.
    if (auto older = state_->Given(/*must_be_fresh=*/false, 0)) return older;
    ARROW_ASSIGN_OR_RAISE(lock, state_->Enter(stop));
  }
  if (auto fresh = state_->Given(/*must_be_fresh=*/true, manifest.number)) return fresh;
  // A first reading that takes long is of a part of the chains: whoever waited for it does not read on.
  if (auto meanwhile = state_->ReadSince(came_ms); has_waited && meanwhile) return meanwhile;
  ARROW_RETURN_NOT_OK(state_->FailureSince(came_ms - kFreshMs));
  return state_->Read(manifest, stop);
}

Result<std::vector<ThroughputPoint>> LiveReader::Throughput(const Manifest& manifest, const ThroughputRange& range,
                                                            const StopToken& stop) {
  ARROW_RETURN_NOT_OK(Read(manifest, stop).status());
  ARROW_ASSIGN_OR_RAISE(const auto lock, state_->Enter(stop));
  std::vector<KnownRound> open;
  for (const auto& watch : state_->segments) {
    KnownRound round = {.segment = watch->segment().id};
    for (const auto& chain : watch->chains()) round.minutes.Merge(chain->minutes());
    open.push_back(std::move(round));
  }
  return state_->minutes.Points(state_->store, manifest, std::move(open), range, stop);
}

Result<LiveCrawl> ReadLive(Store* store, const Manifest& manifest, const Clock& clock, const StopToken& stop) {
  LiveReader reader(store, clock);
  ARROW_ASSIGN_OR_RAISE(const std::shared_ptr<const LiveCrawl> live, reader.Read(manifest, stop));
  return *live;
}

}  // namespace trawl
