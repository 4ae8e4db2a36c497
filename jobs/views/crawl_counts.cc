#include "jobs/views/crawl_counts.h"

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "formats/rows/some_columns.h"
#include "jobs/politeness/quota.h"
#include "jobs/stats/slot_threads.h"
#include "jobs/views/scan_memory.h"
#include "runtime/tables/fetch_rows.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

// -- DueTimes ---------------------------------------------------------------------------------------------------------

void DueTimes::Add(TimeMs due_ms) {
  if (due_ms <= from_ms_) {
    ++before_;
    return;
  }
  if (due_ms == kNever) return;
  const int64_t after_ms = due_ms - from_ms_ - 1;
  if (after_ms / 60'000 >= kMinutes) {
    after_ms_ = std::min(after_ms_, due_ms);
    return;
  }
  ++minutes_[static_cast<size_t>(after_ms / 60'000)];
  if (after_ms / 1000 < kSeconds) ++seconds_[static_cast<size_t>(after_ms / 1000)];
}

void DueTimes::Merge(const DueTimes& other) {
  before_ += other.before_;
  for (size_t i = 0; i < seconds_.size(); ++i) seconds_[i] += other.seconds_[i];
  for (size_t i = 0; i < minutes_.size(); ++i) minutes_[i] += other.minutes_[i];
  after_ms_ = std::min(after_ms_, other.after_ms_);
}

int64_t DueTimes::DueAt(TimeMs now_ms) const {
  int64_t due = before_;
  const int64_t passed_s = (now_ms - from_ms_) / 1000;
  if (passed_s <= kSeconds) {
    for (int64_t i = 0; i < passed_s; ++i) due += seconds_[static_cast<size_t>(i)];
    return due;
  }
  for (int64_t i = 0; i < passed_s / 60; ++i) due += minutes_[static_cast<size_t>(i)];
  return due;
}

TimeMs DueTimes::NextAfter(TimeMs now_ms) const {
  const int64_t passed_s = (now_ms - from_ms_) / 1000;
  for (int64_t i = passed_s; i < kSeconds; ++i) {
    if (seconds_[static_cast<size_t>(i)] > 0) return from_ms_ + (i + 1) * 1000;
  }
  for (int64_t i = std::max(passed_s / 60, kSeconds / 60); i < kMinutes; ++i) {
    if (minutes_[static_cast<size_t>(i)] > 0) return from_ms_ + (i + 1) * 60'000;
  }
  return after_ms_;
}

std::vector<int64_t> DueTimes::ByHour(TimeMs now_ms) const {
  std::vector<int64_t> hours(168);
  const int64_t first = (now_ms - from_ms_) / 60'000;
  for (int64_t i = first; i < kMinutes; ++i) {
    hours[static_cast<size_t>((i - first) / 60)] += minutes_[static_cast<size_t>(i)];
  }
  return hours;
}

// -- counting ---------------------------------------------------------------------------------------------------------

namespace {

// For the rows that counting the hosts reads at once, beside those of requests.
constexpr int64_t kMostCountBytes = int64_t{160} << 20;

int PartsOf(const Table& table, int threads) {
  return static_cast<int>(std::clamp<int64_t>(table.stored_rows() / 100'000, 1, threads));
}

// The due times of all URLs, and the tiers of those that were never fetched.
Status CountDue(const View& view, CrawlCounts* counts, const StopToken& stop) {
  ARROW_ASSIGN_OR_RAISE(const auto table, view.Open<UrlRow>());
  std::mutex mutex;
  return ForEachSlotRange(view.threads(), PartsOf(*table, view.threads()), stop, [&](SlotRange slots, int) -> Status {
    DueTimes due(counts->at_ms);
    std::array<int64_t, kTiers> tiers{};
    const ScanOptions options = {
        .slots = slots, .wanted = Columns<UrlRow>({"key", "state", "due_ms", "is_seed", "score", "tier"}).Flags()};
    ARROW_ASSIGN_OR_RAISE(const auto scan, MergeScan::Open(table, options));
    const size_t key = ColumnIndex<UrlRow>("key"), state = ColumnIndex<UrlRow>("state"),
                 due_at = ColumnIndex<UrlRow>("due_ms"), seed = ColumnIndex<UrlRow>("is_seed"),
                 score = ColumnIndex<UrlRow>("score"), tier = ColumnIndex<UrlRow>("tier");
    RowSpan span;
    while (true) {
      ARROW_RETURN_NOT_OK(stop.Check());
      ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
      if (!more) break;
      const auto& columns = span.batch->columns;
      for (int64_t i = span.begin; i < span.end; ++i) {
        due.Add(columns[due_at].Get<int64_t>(i));
        if (static_cast<UrlState>(columns[state].Get<int8_t>(i)) != UrlState::kUnfetched) continue;
        const RankFacts facts = {.is_seed = columns[seed].Get<int8_t>(i) != 0,
                                 .score = columns[score].Get<int32_t>(i),
                                 .tier = static_cast<TierChoice>(columns[tier].Get<int8_t>(i))};
        ++tiers[static_cast<size_t>(TierOf(columns[key].GetBytes(i), facts))];
      }
    }
    const std::lock_guard<std::mutex> lock(mutex);
    counts->due.Merge(due);
    for (size_t i = 0; i < tiers.size(); ++i) counts->pending_by_tier[i] += tiers[i];
    return Status::OK();
  });
}

// By which number a host is among the first; 0: it is not among them at all.
int64_t PlaceIn(HostTop top, const HostRow& row, const std::optional<HostHold>& hold, TimeMs now_ms) {
  switch (top) {
    case HostTop::kSlowest:
      return row.response_ms;
    case HostTop::kFailing:
      return int64_t{row.failures_in_a_row} * 1'000'000 + row.window_failures;
    case HostTop::kLargest:
      return row.pages;
    case HostTop::kWaiting: {
      const TimeMs until_ms = std::max({row.not_before_ms, row.slow_until_ms,
                                        row.breaker == BreakerState::kOpen ? row.breaker_until_ms : TimeMs{0},
                                        hold ? hold->until_ms : TimeMs{0}});
      return row.blocked || row.domain.blocked ? kNever : until_ms > now_ms ? until_ms : 0;
    }
    case HostTop::kTraps:
      return IsTrap(row) ? std::max<int64_t>(row.discovered, 1) : 0;
  }
  return 0;
}

// Keeps the hosts with the largest numbers. One thread.
class Tops {
 public:
  explicit Tops(TimeMs now_ms) : now_ms_(now_ms) {}

  void Add(const HostRow& row, const std::optional<HostHold>& hold) {
    for (int top = 0; top < kHostTops; ++top) {
      const int64_t number = PlaceIn(static_cast<HostTop>(top), row, hold, now_ms_);
      auto& heap = heaps_[static_cast<size_t>(top)];
      if (number <= 0) continue;
      if (heap.size() == CrawlCounts::kMostTop && !IsBefore({number, row, {}}, heap.front())) continue;
      heap.push_back({number, row, hold});
      std::push_heap(heap.begin(), heap.end(), IsBefore);
      if (heap.size() <= CrawlCounts::kMostTop) continue;
      std::pop_heap(heap.begin(), heap.end(), IsBefore);
      heap.pop_back();
    }
  }
  void Merge(const Tops& other) {
    for (const auto& heap : other.heaps_) {
      for (const Placed& placed : heap) merged_.push_back(placed);
    }
    std::sort(merged_.begin(), merged_.end(), [](const Placed& a, const Placed& b) { return a.row.key < b.row.key; });
    merged_.erase(std::unique(merged_.begin(), merged_.end(),
                              [](const Placed& a, const Placed& b) { return a.row.key == b.row.key; }),
                  merged_.end());
    for (const Placed& placed : merged_) Add(placed.row, placed.hold);
    merged_.clear();
  }
  std::vector<HostRow> Take(HostTop top, std::map<std::string, HostHold>* held) {
    auto& heap = heaps_[static_cast<size_t>(top)];
    std::sort_heap(heap.begin(), heap.end(), IsBefore);
    std::vector<HostRow> rows;
    for (Placed& placed : heap) {
      if (placed.hold) held->emplace(placed.row.key, *std::move(placed.hold));
      rows.push_back(std::move(placed.row));
    }
    return rows;
  }

 private:
  struct Placed {
    int64_t number = 0;
    HostRow row;
    std::optional<HostHold> hold;
  };
  static bool IsBefore(const Placed& a, const Placed& b) {
    return a.number != b.number ? a.number > b.number : a.row.key < b.row.key;
  }

  const TimeMs now_ms_;
  std::array<std::vector<Placed>, kHostTops> heaps_;  // the last of the kept stands first
  std::vector<Placed> merged_;
};

// What HostHolds, HoldWalk and PlaceIn read.
constexpr Columns<HostRow> kRanked = {"key",
                                      "blocked",
                                      "breaker",
                                      "breaker_until_ms",
                                      "not_before_ms",
                                      "slow_until_ms",
                                      "suspected_trap",
                                      "trap_cleared",
                                      "response_ms",
                                      "window_failures",
                                      "failures_in_a_row",
                                      "pages",
                                      "discovered",
                                      "domain_blocked",
                                      "day_start_ms",
                                      "pages_today",
                                      "operator_pages",
                                      "operator_pages_a_day"};

// Whether a row tells of a host takes all columns, but not at once: a scan of all of them may take more memory than all requests
// together. So the table is read group after group, the last time for the ranks.
struct HostScan {
  std::shared_ptr<const Table> table;
  std::vector<std::vector<bool>> groups;
  int parts = 1;

  HostScan(std::shared_ptr<const Table> hosts, int64_t beside_bytes, int threads) : table(std::move(hosts)) {
    const int64_t bytes = std::max<int64_t>(BytesOfScan(*table, kRanked.Flags()) + beside_bytes, 1);
    parts = static_cast<int>(std::clamp<int64_t>(kMostCountBytes / bytes, 1, PartsOf(*table, threads)));
    groups = ColumnGroups(*table, kRanked.Flags(), kMostCountBytes / parts);
  }

  // Calls `visit(row, tells_of_host)`; the row has the columns of the last group.
  Status Run(SlotRange slots, const std::function<Status(const HostRow& row, bool tells)>& visit) const {
    std::vector<bool> tells;
    for (size_t group = 0; group < groups.size(); ++group) {
      const bool is_last = group + 1 == groups.size();
      size_t number = 0;
      const ScanOptions scan = {.slots = slots, .wanted = groups[group]};
      ARROW_RETURN_NOT_OK(ForEachRow<HostRow>(table, scan, [&](const HostRow& row) -> Status {
        if (number == tells.size()) tells.push_back(false);
        if (TellsOfHost(row)) tells[number] = true;
        const bool tells_of_host = tells[number++];
        return is_last ? visit(row, tells_of_host) : Status::OK();
      }));
    }
    return Status::OK();
  }
};

// Puts whole rows in the places of those that have a few columns.
Status ReadTops(const HostScan& scan, const StopToken& stop, CrawlCounts* counts) {
  if (scan.groups.size() == 1) return Status::OK();
  std::map<RowPlace, HostRow> by_place;
  std::vector<std::string> keys;
  for (const auto& rows : counts->tops) {
    for (const HostRow& row : rows) by_place[{SlotOfKey(row.key), row.key}];
  }
  for (const auto& [place, row] : by_place) keys.emplace_back(place.key);
  ARROW_ASSIGN_OR_RAISE(auto whole, FetchRows<HostRow>(scan.table, keys, {}, stop));
  auto next = by_place.begin();
  for (std::optional<HostRow>& row : whole) (next++)->second = row ? *std::move(row) : HostRow();
  std::array<std::vector<HostRow>, kHostTops> tops;
  for (size_t top = 0; top < tops.size(); ++top) {
    for (const HostRow& row : counts->tops[top]) tops[top].push_back(by_place[{SlotOfKey(row.key), row.key}]);
  }
  by_place.clear();  // its keys are those of the rows that go now
  counts->tops = std::move(tops);
  return Status::OK();
}

Status CountHosts(const View& view, CrawlCounts* counts, const StopToken& stop) {
  ARROW_ASSIGN_OR_RAISE(const auto table, view.Open<HostRow>());
  ARROW_ASSIGN_OR_RAISE(const int64_t beside_bytes, HoldWalk::BytesToRead(view));
  const HostScan scan(table, beside_bytes, view.threads());
  Tops tops(counts->at_ms);
  std::mutex mutex;
  ARROW_RETURN_NOT_OK(ForEachSlotRange(view.threads(), scan.parts, stop, [&](SlotRange slots, int) -> Status {
    Tops part(counts->at_ms);
    HostHolds holds;
    std::map<std::string, int64_t> more;
    ARROW_ASSIGN_OR_RAISE(HoldWalk walk, HoldWalk::Open(view, slots, counts->at_ms));
    int64_t known = 0;
    ARROW_RETURN_NOT_OK(scan.Run(slots, [&](const HostRow& row, bool tells) -> Status {
      ARROW_RETURN_NOT_OK(stop.Check());
      holds.Count(row, counts->at_ms);
      if (!tells) return Status::OK();
      ++known;
      ARROW_ASSIGN_OR_RAISE(const std::optional<HostHold> hold, walk.Find(row));
      if (hold) ++more[hold->kind];
      part.Add(row, hold);
      return Status::OK();
    }));
    const std::lock_guard<std::mutex> lock(mutex);
    counts->holds.Add(holds);
    for (const auto& [kind, count] : more) counts->more_holds[kind] += count;
    counts->known_hosts += known;
    tops.Merge(part);
    return Status::OK();
  }));
  for (int top = 0; top < kHostTops; ++top) {
    counts->tops[static_cast<size_t>(top)] = tops.Take(static_cast<HostTop>(top), &counts->held_tops);
  }
  return ReadTops(scan, stop, counts);
}

Result<std::shared_ptr<const CrawlCounts>> MakeCounts(const View& view, TimeMs now_ms, const StopToken& stop) {
  ARROW_ASSIGN_OR_RAISE(CrawlCounts counts, CountCrawl(view, now_ms, stop));
  return std::make_shared<const CrawlCounts>(std::move(counts));
}

}  // namespace

Result<CrawlCounts> CountCrawl(const View& view, TimeMs now_ms, const StopToken& stop) {
  CrawlCounts counts;
  counts.at_ms = now_ms;
  counts.due = DueTimes(now_ms);
  ARROW_ASSIGN_OR_RAISE(const auto urls, view.Open<UrlRow>());
  ARROW_ASSIGN_OR_RAISE(counts.urls, CountUrls(urls, now_ms, view.threads(), stop));
  counts.urls.domains.clear();
  ARROW_RETURN_NOT_OK(CountDue(view, &counts, stop));
  ARROW_RETURN_NOT_OK(CountHosts(view, &counts, stop));
  return counts;
}

Result<std::shared_ptr<const CrawlCounts>> CountsOf(const View& view, TimeMs now_ms, const StopToken& stop) {
  const auto make = [&] { return MakeCounts(view, now_ms, stop); };
  ARROW_ASSIGN_OR_RAISE(const auto counts, view.Once<std::shared_ptr<const CrawlCounts>>("counts", make, stop));
  if (counts->due.Knows(now_ms)) return counts;
  // Another time than anybody prepared: ?now=, mostly.
  return make();
}

void PrepareCounts(const View& view, TimeMs now_ms, const StopToken& stop) {
  // Whoever asks for what could not be counted tries again, and gets the failure.
  (void)CountsOf(view, now_ms, stop).status();
}

}  // namespace trawl
