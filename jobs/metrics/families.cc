#include "jobs/metrics/families.h"

#include <algorithm>
#include <deque>
#include <iterator>

#include "formats/rows/url_row.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

namespace {

constexpr size_t kMostVerbs = 64;

double Of(int64_t number) { return static_cast<double>(number); }
double Seconds(int64_t ms) { return static_cast<double>(ms) / 1000; }

int64_t CountOf(const Json& object, const char* name) {
  const arrow::Result<int64_t> count = object.is_object() ? GetInt(object, name) : arrow::Result<int64_t>(0);
  return count.ok() ? *count : 0;
}

const Json& MemberOf(const Json& object, const char* name) {
  static const Json none;
  return object.is_object() && HasMember(object, name) ? object[name] : none;
}

// Collects families. A number that is not known makes a family without samples, which is left out.
class Families {
 public:
  explicit Families(const MetricsInput& input) : input_(input) {}

  MetricFamily& Gauge(const char* name, const char* help) { return Make(name, MetricType::kGauge, help); }
  MetricFamily& Counter(const char* name, const char* help) { return Make(name, MetricType::kCounter, help); }
  MetricLabels Labels(const char* name = nullptr, const std::string& value = "") const {
    MetricLabels labels = {{"crawl", input_.crawl}};
    if (name != nullptr) labels.emplace_back(name, value);
    return labels;
  }
  void Append(std::vector<MetricFamily> more) {
    families_.insert(families_.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  std::vector<MetricFamily> Take() {
    return {std::make_move_iterator(families_.begin()), std::make_move_iterator(families_.end())};
  }

 private:
  MetricFamily& Make(const char* name, MetricType type, const char* help) {
    families_.push_back({name, type, help, {}, {}});
    return families_.back();
  }

  const MetricsInput& input_;
  std::deque<MetricFamily> families_;  // its references stay valid
};

void AddFrontier(const MetricsInput& input, Families* all) {
  const Totals* const totals = input.manifest->totals ? &*input.manifest->totals : nullptr;
  MetricFamily& urls = all->Gauge("trawl_frontier_urls", "URLs that were never fetched");
  if (totals != nullptr) urls.Add(Of(totals->OfState(TextOf(UrlState::kUnfetched))), all->Labels());
  MetricFamily& hosts = all->Gauge("trawl_frontier_hosts", "Hosts with a URL that was never fetched");
  if (input.counts != nullptr) hosts.Add(Of(input.counts->urls.frontier_hosts), all->Labels());
  MetricFamily& domains = all->Gauge("trawl_frontier_domains", "Registrable domains of these hosts");
  if (input.counts != nullptr) domains.Add(Of(input.counts->urls.frontier_domains), all->Labels());
}

void AddUrls(const MetricsInput& input, Families* all) {
  const Totals* const totals = input.manifest->totals ? &*input.manifest->totals : nullptr;
  MetricFamily& pages = all->Gauge("trawl_pages", "URLs with a stored body");
  if (totals != nullptr) pages.Add(Of(totals->bodies), all->Labels());
  MetricFamily& urls = all->Gauge("trawl_urls", "URLs by state");
  for (int state = 1; totals != nullptr && state <= static_cast<int>(UrlState::kDuplicate); ++state) {
    const std::string name = TextOf(static_cast<UrlState>(state));
    urls.Add(Of(totals->OfState(name)), all->Labels("state", name));
  }
  MetricFamily& due = all->Gauge("trawl_urls_due", "URLs that were due when the tables were counted last");
  if (input.counts != nullptr) due.Add(Of(input.counts->urls.due), all->Labels());
  MetricFamily& in_time = all->Gauge("trawl_refresh_in_time_ratio",
                                     "Share of the last round's refreshed pages that were refreshed in time");
  const int64_t refreshed = input.round == nullptr ? 0 : CountOf(*input.round, "refreshed");
  if (refreshed > 0) in_time.Add(Of(CountOf(*input.round, "within_window")) / Of(refreshed), all->Labels());
}

void AddHosts(const MetricsInput& input, Families* all) {
  MetricFamily& hosts = all->Gauge("trawl_hosts", "Hosts that are held back, by the kind of hold");
  MetricFamily& traps =
      all->Gauge("trawl_suspected_trap_hosts", "Hosts that look like traps, and that nobody has cleared");
  MetricFamily& unreachable = all->Gauge("trawl_robots_unreachable_hosts", "Hosts whose robots.txt could not be read");
  if (input.counts == nullptr) return;
  const HostHolds& holds = input.counts->holds;
  const std::pair<const char*, int64_t> kinds[] = {{"blocked", holds.blocked},
                                                   {"blocked_domain", holds.blocked_domains},
                                                   {"breaker_open", holds.breaker_open},
                                                   {"throttled", holds.throttled},
                                                   {"slow", holds.slow}};
  for (const auto& [kind, count] : kinds) hosts.Add(Of(count), all->Labels("hold", kind));
  traps.Add(Of(holds.suspected_trap), all->Labels());
  unreachable.Add(Of(input.counts->robots_unreachable), all->Labels());
}

void AddWorkers(const MetricsInput& input, Families* all) {
  MetricFamily& workers = all->Gauge("trawl_fetch_workers", "Attempts to fetch a list, by what they show");
  MetricFamily& busy =
      all->Gauge("trawl_fetch_worker_busy_ratio", "Share of a fetch in which its workers were at work");
  MetricFamily& urls = all->Gauge("trawl_fetch_urls", "URLs of the open segments' lists, settled and left");
  MetricFamily& lists = all->Gauge("trawl_fetch_lists", "Lists of the open segments");
  MetricFamily& longest =
      all->Gauge("trawl_fetch_longest_list_urls", "URLs left on the longest list that is under way");
  MetricFamily& age = all->Gauge("trawl_fetch_age_seconds", "Time since the oldest of the workers' last signs");
  if (input.live == nullptr) return;
  const LiveCrawl& live = *input.live;
  int64_t active = 0, silent = 0, waiting = 0, running = 0, done = 0, most_left = 0, age_ms = 0;
  for (const LiveWorker& worker : live.workers) {
    active += worker.state == WorkerState::kActive ? 1 : 0;
    silent += worker.state == WorkerState::kSilent ? 1 : 0;
  }
  for (const LiveSegment& segment : live.segments) {
    waiting += std::max<int64_t>(segment.lists - segment.lists_begun, 0);
    running += segment.lists_begun - segment.lists_done;
    done += segment.lists_done;
    most_left = std::max(most_left, segment.most_left);
    age_ms = std::max(age_ms, segment.age_ms);
  }
  workers.Add(Of(active), all->Labels("state", "active"));
  workers.Add(Of(silent), all->Labels("state", "silent"));
  std::optional<double> share = active > 0 ? UtilisationOf(live) : std::nullopt;
  if (!share && input.round != nullptr) share = UtilisationOf(*input.round);
  if (share) busy.Add(*share, all->Labels());
  urls.Add(Of(live.settled()), all->Labels("state", "settled"));
  urls.Add(Of(live.left()), all->Labels("state", "left"));
  lists.Add(Of(waiting), all->Labels("state", "waiting"));
  lists.Add(Of(running), all->Labels("state", "running"));
  lists.Add(Of(done), all->Labels("state", "done"));
  longest.Add(Of(most_left), all->Labels());
  if (active > 0) age.Add(Seconds(age_ms), all->Labels());
}

void AddStorage(const MetricsInput& input, Families* all) {
  MetricFamily& storage = all->Gauge("trawl_storage_bytes", "Bytes that are stored");
  int64_t tables = 0;
  for (const auto& [table, runs] : input.manifest->tables) {
    for (const RunReference& run : runs) tables += run.bytes;
  }
  storage.Add(Of(tables), all->Labels("kind", "tables"));
  if (input.counts != nullptr) storage.Add(Of(input.counts->segment_bytes), all->Labels("kind", "segments"));
  MetricFamily& free = all->Gauge("trawl_storage_free_bytes", "Free bytes of the disk that the root lies on");
  if (input.free_bytes) free.Add(Of(*input.free_bytes), all->Labels());
  MetricFamily& bytes =
      all->Gauge("trawl_bloom_filter_bytes", "Bytes of the Bloom filters of the urls table, its newest 64 files");
  MetricFamily& rate = all->Gauge("trawl_bloom_filter_false_positive_ratio",
                                  "Share of unknown keys that these filters let through, as measured");
  if (input.counts != nullptr) {
    const FilterMeasure& filters = input.counts->filters;
    bytes.Add(Of(filters.bytes), all->Labels());
    if (filters.probes > 0) rate.Add(Of(filters.false_positives) / Of(filters.probes), all->Labels());
  }
  MetricFamily& target =
      all->Gauge("trawl_bloom_filter_target_ratio", "The share that --job.bloom_false_positives asks for");
  if (input.filter_rate > 0) target.Add(input.filter_rate, all->Labels());
}

void AddRounds(const MetricsInput& input, Families* all) {
  const Manifest& manifest = *input.manifest;
  all->Gauge("trawl_snapshot_number", "Number of the newest snapshot").Add(Of(manifest.number), all->Labels());
  all->Gauge("trawl_snapshot_published_timestamp_seconds", "When it was published")
      .Add(Seconds(manifest.published_ms), all->Labels());
  MetricFamily& completed = all->Gauge("trawl_round_completed_timestamp_seconds", "When the last round was applied");
  MetricFamily& pages = all->Gauge("trawl_round_pages", "Pages that the last round stored");
  MetricFamily& duration = all->Gauge("trawl_round_duration_seconds", "How long the steps of the last round took");
  if (input.round != nullptr) {
    const arrow::Result<std::string> applied = GetString(*input.round, "applied");
    const arrow::Result<TimeMs> at = applied.ok() ? ParseTimestamp(*applied) : applied.status();
    if (at.ok()) completed.Add(Seconds(*at), all->Labels());
    pages.Add(Of(CountOf(MemberOf(*input.round, "fetch"), "pages")), all->Labels());
    for (const char* step : {"generate", "fetch", "parse", "updatedb"}) {
      const Json& seconds = MemberOf(MemberOf(MemberOf(*input.round, "steps"), step), "seconds");
      if (seconds.is_number()) duration.Add(seconds.get<double>(), all->Labels("step", step));
    }
  }
  all->Gauge("trawl_open_segments", "Segments that are not applied yet")
      .Add(Of(static_cast<int64_t>(manifest.open_segments.size())), all->Labels());
  MetricFamily& held = all->Gauge("trawl_segment_hold_seconds",
                                  "How long the open segment that used most of its time has held its domains");
  MetricFamily& limit = all->Gauge("trawl_segment_hold_limit_seconds", "How long that segment may hold them");
  double most = -1;
  int64_t held_ms = 0, limit_ms = 0;
  for (const OpenSegment& segment : manifest.open_segments) {
    const int64_t may_ms = std::max<int64_t>(segment.until_ms - segment.opened_ms, 1);
    const int64_t has_ms = std::max<int64_t>(input.now_ms - segment.opened_ms, 0);
    if (Of(has_ms) / Of(may_ms) <= most) continue;
    most = Of(has_ms) / Of(may_ms);
    held_ms = has_ms;
    limit_ms = may_ms;
  }
  held.Add(Seconds(held_ms), all->Labels());
  if (limit_ms > 0) limit.Add(Seconds(limit_ms), all->Labels());
}

// The reports of a round's steps go when it is applied. So these jobs are counted by the rounds, and by how far open segments
// are.
std::map<std::pair<std::string, std::string>, int64_t> JobsWithSteps(const MetricsInput& input) {
  auto jobs = input.jobs;
  if (!input.manifest->totals || input.live == nullptr) return jobs;
  int64_t fetched = 0, parsed = 0;
  for (const LiveSegment& segment : input.live->segments) {
    parsed += segment.is_parsed ? 1 : 0;
    fetched += segment.is_fetched ? 1 : 0;
  }
  const int64_t rounds = input.manifest->totals->rounds;
  jobs[{"generate", "done"}] = rounds + static_cast<int64_t>(input.manifest->open_segments.size());
  jobs[{"fetch", "done"}] = rounds + fetched;
  jobs[{"parse", "done"}] = rounds + parsed;
  jobs[{"updatedb", "done"}] = rounds;
  return jobs;
}

void AddJobs(const MetricsInput& input, Families* all) {
  MetricFamily& jobs = all->Counter("trawl_jobs_total", "Jobs by verb and by how they ended");
  std::map<std::string, int64_t> running;
  for (const auto& [name, count] : JobsWithSteps(input)) {
    jobs.Add(Of(count), {{"crawl", input.crawl}, {"verb", name.first}, {"result", name.second}});
    if (running.size() < kMostVerbs) running.try_emplace(name.first, 0);
  }
  MetricFamily& now = all->Gauge("trawl_job_running", "Jobs that run");
  if (input.live == nullptr) return;
  for (const LiveJob& job : input.live->jobs) {
    if (running.size() < kMostVerbs || running.contains(job.verb)) ++running[job.verb];
  }
  for (const auto& [verb, count] : running) now.Add(Of(count), all->Labels("verb", verb));
}

void AddAges(const MetricsInput& input, Families* all) {
  MetricFamily& live = all->Gauge("trawl_live_age_seconds", "Age of what is told of workers and jobs");
  if (input.live != nullptr) live.Add(Seconds(std::max<int64_t>(input.now_ms - input.live->read_ms, 0)), all->Labels());
  MetricFamily& counts = all->Gauge("trawl_counts_age_seconds", "Age of the numbers for which tables are counted");
  if (input.counts != nullptr)
    counts.Add(Seconds(std::max<int64_t>(input.now_ms - input.counts->counted_ms, 0)), all->Labels());
  MetricFamily& snapshot = all->Gauge("trawl_counts_snapshot_number", "The snapshot that was counted");
  if (input.counts != nullptr) snapshot.Add(Of(input.counts->snapshot), all->Labels());
}

}  // namespace

// Every list of the round counts as long as the fetch took, or as it ran itself, whichever is more.
std::optional<double> UtilisationOf(const Json& round) {
  const Json& lists = MemberOf(round, "lists");
  const Json& seconds = MemberOf(MemberOf(MemberOf(round, "steps"), "fetch"), "seconds");
  if (!lists.is_array() || lists.empty() || !seconds.is_number()) return std::nullopt;
  double ran = 0, all = 0;
  for (const Json& list : lists) {
    const double ran_ms = Of(CountOf(list, "ran_ms"));
    ran += ran_ms;
    all += std::max(ran_ms, seconds.get<double>() * 1000);
  }
  return all > 0 ? std::optional<double>(ran / all) : std::nullopt;
}

std::optional<double> UtilisationOf(const LiveCrawl& live) {
  TimeMs first_ms = live.read_ms, last_ms = 0;
  for (const LiveWorker& worker : live.workers) {
    first_ms = std::min(first_ms, worker.since_ms);
    last_ms = std::max(last_ms, worker.last_seen_ms);
  }
  double ran = 0, all = 0;
  for (const LiveWorker& worker : live.workers) {
    ran += Of(std::max<int64_t>(worker.last_seen_ms - worker.since_ms, 0));
    all += Of(std::max<int64_t>(last_ms - first_ms, 0));
  }
  return all > 0 ? std::optional<double>(std::min(ran / all, 1.0)) : std::nullopt;
}

std::vector<MetricFamily> CrawlFamilies(const MetricsInput& input) {
  Families all(input);
  all.Append(FetchedFamilies(input));
  AddFrontier(input, &all);
  all.Append(RequestFamilies(input));
  AddWorkers(input, &all);
  AddStorage(input, &all);
  AddUrls(input, &all);
  AddHosts(input, &all);
  AddRounds(input, &all);
  AddJobs(input, &all);
  AddAges(input, &all);
  all.Append({BuildFamily()});
  return all.Take();
}

}  // namespace trawl
