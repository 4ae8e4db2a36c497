#include "jobs/report/present.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>

#include "formats/rows/host_row.h"
#include "formats/rows/some_columns.h"
#include "formats/rows/url_row.h"
#include "jobs/stats/holds.h"
#include "jobs/stats/slot_threads.h"
#include "jobs/stats/stored_bytes.h"
#include "jobs/stats/totals.h"
#include "jobs/stats/url_counts.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr std::array<int64_t, 8> kAges = {kHourMs,    6 * kHourMs, kDayMs,      3 * kDayMs,
                                          7 * kDayMs, 30 * kDayMs, 90 * kDayMs, 365 * kDayMs};
// Different numbers of pages of a host that are told apart; above this they are rounded to three digits.
constexpr size_t kMostGroups = 1000;

struct Times {
  std::array<int64_t, kDueHours> due{};
  int64_t later = 0;
  std::array<int64_t, kAges.size() + 1> ages{};

  void Add(const Times& other) {
    for (size_t i = 0; i < due.size(); ++i) due[i] += other.due[i];
    for (size_t i = 0; i < ages.size(); ++i) ages[i] += other.ages[i];
    later += other.later;
  }
};

TimeMs HourOf(TimeMs now_ms) { return now_ms / kHourMs * kHourMs; }

void CountDue(TimeMs due_ms, TimeMs now_ms, Times* times) {
  if (due_ms <= now_ms || due_ms == kNever) return;
  const int64_t hour = (due_ms - HourOf(now_ms)) / kHourMs;
  if (hour < kDueHours) {
    ++times->due[static_cast<size_t>(hour)];
  } else {
    ++times->later;
  }
}

Result<Times> CountTimes(const std::shared_ptr<const Table>& urls, SlotRange slots, TimeMs now_ms) {
  Times times;
  ARROW_ASSIGN_OR_RAISE(
      const auto scan,
      MergeScan::Open(urls,
                      {.slots = slots, .wanted = Columns<UrlRow>({"key", "state", "due_ms", "fetched_ms"}).Flags()}));
  const size_t state = ColumnIndex<UrlRow>("state"), due = ColumnIndex<UrlRow>("due_ms"),
               fetched = ColumnIndex<UrlRow>("fetched_ms");
  RowSpan span;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
    if (!more) return times;
    const auto& columns = span.batch->columns;
    for (int64_t i = span.begin; i < span.end; ++i) {
      CountDue(columns[due].Get<int64_t>(i), now_ms, &times);
      if (static_cast<UrlState>(columns[state].Get<int8_t>(i)) != UrlState::kFetched) continue;
      const int64_t age_ms = now_ms - columns[fetched].Get<int64_t>(i);
      ++times.ages[static_cast<size_t>(std::lower_bound(kAges.begin(), kAges.end(), age_ms) - kAges.begin())];
    }
  }
}

// No more ranges than the rows are worth: each opens the table's files.
int PartsFor(const Table& table, int threads) {
  return static_cast<int>(std::clamp<int64_t>(table.stored_rows() / 100'000, 1, threads));
}

Result<Times> CountTimes(const std::shared_ptr<const Table>& urls, TimeMs now_ms, int threads, const StopToken& stop) {
  Times times;
  std::mutex mutex;
  ARROW_RETURN_NOT_OK(ForEachSlotRange(threads, PartsFor(*urls, threads), stop, [&](SlotRange slots, int) -> Status {
    ARROW_ASSIGN_OR_RAISE(const Times part, CountTimes(urls, slots, now_ms));
    const std::lock_guard<std::mutex> lock(mutex);
    times.Add(part);
    return Status::OK();
  }));
  return times;
}

struct HostPages {
  int64_t hosts = 0;
  std::map<int64_t, int64_t> by_pages;  // how many hosts have so many

  void Add(int64_t pages, int64_t count) {
    hosts += count;
    if (by_pages.size() >= kMostGroups && !by_pages.contains(pages)) {
      int64_t unit = 1;
      while (pages / unit >= 1000) unit *= 10;
      pages = pages / unit * unit;
    }
    by_pages[pages] += count;
  }
};

Result<HostPages> CountHostPages(const std::shared_ptr<const Table>& hosts, int threads, const StopToken& stop) {
  HostPages all;
  std::mutex mutex;
  ARROW_RETURN_NOT_OK(ForEachSlotRange(threads, PartsFor(*hosts, threads), stop, [&](SlotRange slots, int) -> Status {
    HostPages part;
    ARROW_RETURN_NOT_OK(ForEachRow<HostRow>(
        hosts, {.slots = slots, .wanted = Columns<HostRow>({"key", "pages"}).Flags()}, [&part](const HostRow& row) {
          part.Add(row.pages, 1);
          return Status::OK();
        }));
    const std::lock_guard<std::mutex> lock(mutex);
    for (const auto& [pages, count] : part.by_pages) all.Add(pages, count);
    return Status::OK();
  }));
  return all;
}

Json AgesJson(const Times& times) {
  Json ages = Json::array();
  for (size_t i = 0; i < times.ages.size(); ++i) {
    ages.push_back({{"le", i < kAges.size() ? Json(kAges[i]) : Json()}, {"count", times.ages[i]}});
  }
  return ages;
}

Result<Json> HostsJson(Store* store, const Manifest& manifest, TimeMs now_ms, int threads, const StopToken& stop) {
  ARROW_ASSIGN_OR_RAISE(const auto hosts, Table::Open<HostRow>(store, manifest));
  ARROW_ASSIGN_OR_RAISE(const HostHolds holds, CountHolds(hosts, now_ms, threads, stop));
  ARROW_ASSIGN_OR_RAISE(const HostPages pages, CountHostPages(hosts, threads, stop));
  Json groups = Json::array();
  for (const auto& [value, count] : pages.by_pages) groups.push_back({value, count});
  return Json{{"count", pages.hosts}, {"holds", ToJson(holds)}, {"pages", groups}};
}

}  // namespace

Result<Json> CountPresent(Store* store, const Manifest& manifest, TimeMs now_ms, int threads, const StopToken& stop) {
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(store, manifest));
  ARROW_ASSIGN_OR_RAISE(const UrlCounts counts, CountUrls(urls, now_ms, threads, stop));
  ARROW_ASSIGN_OR_RAISE(const Times times, CountTimes(urls, now_ms, threads, stop));
  ARROW_ASSIGN_OR_RAISE(const Json hosts, HostsJson(store, manifest, now_ms, threads, stop));
  ARROW_ASSIGN_OR_RAISE(const StoredBytes stored, ReadStoredBytes(store, manifest, now_ms));
  ARROW_ASSIGN_OR_RAISE(const FilterMeasure filters, MeasureSomeFilters(*urls));
  return Json{{"urls", counts.urls},
              {"states", StatesJson(counts)},
              {"due", counts.due},
              {"next_due_ms", counts.next_due_ms == kNever ? Json() : Json(counts.next_due_ms)},
              {"due_by_hour", {{"from_ms", HourOf(now_ms)}, {"counts", times.due}, {"later", times.later}}},
              {"ages", AgesJson(times)},
              {"frontier",
               {{"urls", counts.OfState(UrlState::kUnfetched)},
                {"hosts", counts.frontier_hosts},
                {"domains", counts.frontier_domains}}},
              {"hosts", hosts},
              {"storage", {{"tables", stored.tables}, {"segments", stored.segments}}},
              {"filters", ToJson(filters)},
              {"duplicates", DuplicatesJson(manifest.totals.value_or(Totals()))}};
}

}  // namespace trawl
