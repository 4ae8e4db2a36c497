#include "jobs/metrics/metrics.h"

#include <algorithm>
#include <iterator>
#include <mutex>

#include "jobs/metrics/dashboard.h"
#include "jobs/metrics/families.h"
#include "jobs/stats/round.h"
#include "runtime/process/machine_numbers.h"
#include "runtime/root/layout.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The newest round's document and the sums up to it, which change with the snapshot alone.
struct RoundNumbers {
  int64_t snapshot = -1;
  Json round;
  std::optional<EverSums> ever;
};

Result<std::shared_ptr<const RoundNumbers>> ReadRoundNumbers(Store* store, const Manifest& manifest) {
  auto numbers = std::make_shared<RoundNumbers>();
  numbers->snapshot = manifest.number;
  const auto& closed = manifest.closed_segments;
  for (auto segment = closed.rbegin(); segment != closed.rend(); ++segment) {
    if (segment->end != SegmentEnd::kApplied || segment->round.empty()) continue;
    ARROW_ASSIGN_OR_RAISE(const bool is_there, store->Exists(RoundPath(segment->updatedb)));
    if (!is_there) continue;
    ARROW_ASSIGN_OR_RAISE(std::optional<Json> round, ReadRound(store, *segment));
    if (!numbers->ever) {
      EverSums ever;
      if (AddEver(*round, &ever)) numbers->ever = ever;
    }
    // A reading of stored bodies tells nothing of a fetch.
    const bool is_fetch = GetString(*round, "kind").ValueOr("round") == "round";
    if (!is_fetch) continue;
    round->erase("minutes");  // long, and of no use here
    numbers->round = *std::move(round);
    break;
  }
  if (!numbers->ever) {
    ARROW_ASSIGN_OR_RAISE(numbers->ever, ReadEver(store, manifest));
  }
  return std::shared_ptr<const RoundNumbers>(numbers);
}

bool IsLocal(const std::string& root) { return root.find("://") == std::string::npos; }

std::vector<MetricFamily> ProcessFamilies() {
  const ProcessNumbers now = ProcessNumbers::Now();
  const auto made = [](const char* name, MetricType type, const char* help, double value) {
    MetricFamily family = {name, type, help, {}, {}};
    family.Add(value);
    return family;
  };
  const auto of = [](int64_t number) { return static_cast<double>(number); };
  constexpr auto kGauge = MetricType::kGauge;
  return {
      made("process_cpu_seconds_total", MetricType::kCounter, "Time of processors, user and system", now.cpu_seconds),
      made("process_start_time_seconds", kGauge, "When this process was started", now.started_s),
      made("process_resident_memory_bytes", kGauge, "Memory that this process has", of(now.resident_bytes)),
      made("process_virtual_memory_bytes", kGauge, "Addresses that this process has", of(now.virtual_bytes)),
      made("process_open_fds", kGauge, "Open files and connections", of(now.open_files)),
      made("process_max_fds", kGauge, "How many there may be", of(now.most_files)),
      made("process_threads", kGauge, "Threads of this process", of(now.threads))};
}

void Append(std::vector<MetricFamily> more, std::vector<MetricFamily>* all) {
  all->insert(all->end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

// "s3://key:secret@bucket/a/crawl/?x" is "crawl", "hdfs://nameservice/" is "nameservice", "./crawl" is "crawl".
std::string NameOfRoot(const std::string& root) {
  std::string path = root.substr(0, root.find('?'));
  const size_t scheme = path.find("://");
  if (scheme != std::string::npos) path = path.substr(scheme + 3);
  while (!path.empty() && path.back() == '/') path.pop_back();
  std::string name = path.substr(path.rfind('/') + 1);
  if (scheme != std::string::npos) name = name.substr(name.rfind('@') + 1);
  return name.empty() || name == "." || name == ".." ? "crawl" : name;
}

struct CrawlMetrics::State {
  State(Store* a_store, const Clock& a_clock, LiveReader* a_live, MetricsOptions some)
      : store(a_store),
        clock(a_clock),
        live(a_live),
        options(std::move(some)),
        counts(a_store, a_clock, options.threads) {}

  Store* const store;
  const Clock& clock;
  LiveReader* const live;
  const MetricsOptions options;
  CountKeeper counts;
  std::mutex mutex;  // guards what follows
  std::shared_ptr<const RoundNumbers> numbers;

  Result<std::shared_ptr<const RoundNumbers>> Numbers(const Manifest& present);
};

Result<std::shared_ptr<const RoundNumbers>> CrawlMetrics::State::Numbers(const Manifest& present) {
  const std::lock_guard<std::mutex> lock(mutex);
  if (!numbers || numbers->snapshot != present.number) {
    ARROW_ASSIGN_OR_RAISE(numbers, ReadRoundNumbers(store, present));
  }
  return numbers;
}

CrawlMetrics::CrawlMetrics(Store* store, const Clock& clock, LiveReader* live, MetricsOptions options)
    : state_(std::make_unique<State>(store, clock, live, std::move(options))) {}
CrawlMetrics::~CrawlMetrics() = default;

Result<std::vector<MetricFamily>> CrawlMetrics::Families(const Manifest& present, const StopToken& stop) {
  ARROW_ASSIGN_OR_RAISE(const auto live, state_->live->Read(present, stop));
  ARROW_ASSIGN_OR_RAISE(const auto numbers, state_->Numbers(present));
  const auto counts = state_->counts.Get(present);
  MetricsInput input = {.crawl = state_->options.crawl,
                        .now_ms = state_->clock.NowMs(),
                        .manifest = &present,
                        .live = live.get(),
                        .ever = &*numbers->ever,
                        .round = numbers->round.is_object() ? &numbers->round : nullptr,
                        .counts = counts.get(),
                        .jobs = state_->counts.Jobs(),
                        .filter_rate = state_->options.filter_rate};
  if (IsLocal(state_->options.root)) input.free_bytes = FreeBytesOf(state_->options.root);
  return CrawlFamilies(input);
}

Result<Json> CrawlMetrics::Dashboard(const Manifest& present, const StopToken& stop) {
  ARROW_ASSIGN_OR_RAISE(const auto live, state_->live->Read(present, stop));
  ARROW_ASSIGN_OR_RAISE(const auto numbers, state_->Numbers(present));
  DashboardSource source = {.manifest = &present, .live = live.get()};
  if (numbers->round.is_object()) source.rounds.push_back(&numbers->round);
  if (const auto counts = state_->counts.Get(present)) {
    source.frontier_domains = counts->urls.frontier_domains;
    source.segment_bytes = counts->segment_bytes;
    source.filter_bytes = counts->filters.bytes;
  }
  return DashboardNumbers(source);
}

bool CrawlMetrics::WaitForCounts(const Manifest& present, int64_t most_ms) {
  return state_->counts.Wait(present, most_ms);
}

const std::string& CrawlMetrics::name() const { return state_->options.crawl; }

MetricFamily ReadyFamily(const std::string& crawl, bool is_ready) {
  MetricFamily ready = {"trawl_ready", MetricType::kGauge, "Whether the newest snapshot could be read", {}, {}};
  ready.Add(is_ready ? 1 : 0, {{"crawl", crawl}});
  return ready;
}

std::string MetricsText(const MetricsSource& source, MetricsFormat format, const StopToken& stop) {
  std::vector<MetricFamily> all;
  bool is_ready = source.present.ok();
  if (is_ready) {
    Result<std::vector<MetricFamily>> families = source.crawl.Families(source.present->manifest, stop);
    is_ready = families.ok();
    if (is_ready) Append(*std::move(families), &all);
  }
  all.push_back(ReadyFamily(source.crawl.name(), is_ready));
  if (source.served != nullptr) Append(source.served->Families(), &all);
  Append(ProcessFamilies(), &all);
  return MetricsText(all, format);
}

}  // namespace trawl
