#include "jobs/stats/url_counts.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <string>

#include "formats/digests/digest.h"
#include "formats/rows/some_columns.h"
#include "formats/url/domain.h"
#include "formats/url/key.h"
#include "jobs/stats/slot_threads.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// A host's rows are adjacent and in one slot, so each range of slots counts its own hosts.
Result<UrlCounts> CountSlots(const std::shared_ptr<const Table>& table, SlotRange slots, TimeMs now_ms) {
  UrlCounts counts;
  ScanOptions options = {
      .slots = slots, .wanted = Columns<UrlRow>({"key", "state", "kind", "due_ms", "body_segment", "signals"}).Flags()};
  ARROW_ASSIGN_OR_RAISE(const auto scan, MergeScan::Open(table, options));
  const size_t key = ColumnIndex<UrlRow>("key"), state = ColumnIndex<UrlRow>("state"),
               kind = ColumnIndex<UrlRow>("kind"), due = ColumnIndex<UrlRow>("due_ms"),
               body = ColumnIndex<UrlRow>("body_segment"), signals = ColumnIndex<UrlRow>("signals");
  std::string host;
  bool in_frontier = false;
  RowSpan span;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
    if (!more) return counts;
    const auto& columns = span.batch->columns;
    for (int64_t i = span.begin; i < span.end; ++i) {
      const std::string_view url = columns[key].GetBytes(i);
      if (!(url.starts_with(host) && url.size() > host.size() && url[host.size()] == ')') || host.empty()) {
        host.assign(HostPartOfKey(url));
        ++counts.hosts;
        in_frontier = false;
      }
      const int64_t due_ms = columns[due].Get<int64_t>(i);
      if (due_ms <= now_ms) {
        ++counts.due;
      } else {
        counts.next_due_ms = std::min(counts.next_due_ms, due_ms);
      }
      counts.bodies += columns[body].GetBytes(i).empty() ? 0 : 1;
      const int32_t asked = columns[signals].Get<int32_t>(i);
      for (size_t bit = 0; bit < counts.by_signal.size() && asked != 0; ++bit) {
        counts.by_signal[bit] += asked >> bit & 1;
      }
      const auto url_state = static_cast<UrlState>(columns[state].Get<int8_t>(i));
      ++counts.by_state[static_cast<uint8_t>(url_state) & 127];
      if (url_state == UrlState::kUnfetched && !in_frontier) {
        in_frontier = true;
        ++counts.frontier_hosts;
        counts.domains.insert(Hash64(PublicSuffixes::BuiltIn().HoldingDomain(HostOfKey(url))));
      }
      ++counts.by_kind[static_cast<uint8_t>(columns[kind].Get<int8_t>(i)) & 127];
    }
    counts.urls += span.end - span.begin;
  }
}

template <typename Enum>
Json CountsByName(const std::array<int64_t, 128>& counts) {
  Json json = Json::object();
  for (size_t i = 1; i < counts.size(); ++i) {
    if (counts[i] > 0) json[TextOf(static_cast<Enum>(i))] = counts[i];
  }
  return json;
}

}  // namespace

void UrlCounts::Add(UrlCounts&& other) {
  domains.merge(other.domains);
  frontier_domains = static_cast<int64_t>(domains.size());
  urls += other.urls;
  hosts += other.hosts;
  due += other.due;
  frontier_hosts += other.frontier_hosts;
  bodies += other.bodies;
  next_due_ms = std::min(next_due_ms, other.next_due_ms);
  for (size_t i = 0; i < by_state.size(); ++i) by_state[i] += other.by_state[i];
  for (size_t i = 0; i < by_kind.size(); ++i) by_kind[i] += other.by_kind[i];
  for (size_t i = 0; i < by_signal.size(); ++i) by_signal[i] += other.by_signal[i];
}

Result<UrlCounts> CountUrls(const std::shared_ptr<const Table>& urls, TimeMs now_ms, int threads,
                            const StopToken& stop) {
  // Opening a table's files costs some milliseconds per range, so there are no more ranges than the rows are worth.
  const int parts = static_cast<int>(std::clamp<int64_t>(urls->stored_rows() / 100'000, 1, threads));
  UrlCounts counts;
  std::mutex mutex;
  ARROW_RETURN_NOT_OK(ForEachSlotRange(threads, parts, stop, [&](SlotRange slots, int) -> Status {
    ARROW_ASSIGN_OR_RAISE(UrlCounts part, CountSlots(urls, slots, now_ms));
    const std::lock_guard<std::mutex> lock(mutex);
    counts.Add(std::move(part));
    return Status::OK();
  }));
  return counts;
}

Json StatesJson(const UrlCounts& counts) { return CountsByName<UrlState>(counts.by_state); }
Json KindsJson(const UrlCounts& counts) { return CountsByName<UrlKind>(counts.by_kind); }

Json SignalsJson(const UrlCounts& counts) {
  Json json = Json::object();
  for (size_t bit = 0; bit < counts.by_signal.size(); ++bit) {
    if (counts.by_signal[bit] > 0) json[kSignalNames[bit]] = counts.by_signal[bit];
  }
  return json;
}

namespace {

Result<FilterMeasure> MeasureNewest(const Table& table, int64_t most_files, int64_t probes) {
  FilterMeasure measure;
  for (auto run = table.runs().rbegin(); run != table.runs().rend(); ++run) {
    for (const FileReceipt& file : run->record.files) {
      if (measure.files == most_files) return measure;
      ++measure.files;
      ARROW_ASSIGN_OR_RAISE(const auto sidecar, table.OpenSidecar(*run, file));
      measure.bytes += sidecar->bloom_bytes();
      if (sidecar->bloom_bytes() == 0) continue;
      for (int64_t probe = 0; probe < probes; ++probe) {
        ARROW_ASSIGN_OR_RAISE(const bool hit, sidecar->MayContain(Hash64("no key at all " + std::to_string(probe))));
        measure.false_positives += hit ? 1 : 0;
      }
      measure.probes += probes;
    }
  }
  return measure;
}

}  // namespace

Result<FilterMeasure> MeasureFilters(const Table& table) {
  return MeasureNewest(table, std::numeric_limits<int64_t>::max(), 2000);
}

Result<FilterMeasure> MeasureSomeFilters(const Table& table) { return MeasureNewest(table, 64, 500); }

Json ToJson(const FilterMeasure& measure) {
  const Json rate = measure.probes == 0
                        ? Json()
                        : Json(static_cast<double>(measure.false_positives) / static_cast<double>(measure.probes));
  return {{"files", measure.files}, {"bytes", measure.bytes}, {"false_positive_rate", rate}};
}

}  // namespace trawl
