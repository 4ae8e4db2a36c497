#include "jobs/stats/totals.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <optional>

#include "jobs/segment/life.h"
#include "jobs/stats/slot_threads.h"
#include "jobs/stats/url_counts.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/segment_data.h"
#include "runtime/tables/merge_scan.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kFact[] = "totals";  // of a task's receipt: what it changed; of a plan: what was there before

int64_t CounterOf(const Json& counters, const char* name) {
  const Result<int64_t> count = GetInt(counters, name);
  return count.ok() ? *count : 0;
}

// Adds the change that a task reported.
Status AddChange(const Json& facts, Totals* totals) {
  if (!facts.is_object() || !HasMember(facts, kFact)) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const Json* change, GetObject(facts, kFact));
  ARROW_ASSIGN_OR_RAISE(const Json* states, GetObject(*change, "states"));
  for (const auto& [state, by] : states->items()) {
    if (!by.is_number_integer()) return Status::Invalid("the change of state '", state, "' is not a number");
    int64_t& rows = totals->states[state];
    rows += by.get<int64_t>();
    if (rows == 0) totals->states.erase(state);
  }
  ARROW_ASSIGN_OR_RAISE(const int64_t bodies, GetInt(*change, "bodies"));
  totals->bodies += bodies;
  ARROW_ASSIGN_OR_RAISE(const int64_t exact_duplicates, GetInt(*change, "exact_duplicates"));
  totals->exact_duplicates += exact_duplicates;
  ARROW_ASSIGN_OR_RAISE(const int64_t near_duplicates, GetInt(*change, "near_duplicates"));
  totals->near_duplicates += near_duplicates;
  ARROW_ASSIGN_OR_RAISE(const int64_t shared_bytes, GetInt(*change, "shared_bytes"));
  totals->shared_bytes += shared_bytes;
  return Status::OK();
}

Status CountDuplicates(const std::shared_ptr<const Table>& urls, int threads, const StopToken& stop, Totals* totals) {
  std::mutex mutex;
  return ForEachSlotRange(threads, threads, stop, [&](SlotRange slots, int) -> Status {
    int64_t exact = 0, near = 0, shared_bytes = 0;
    ARROW_RETURN_NOT_OK(
        ForEachRow<UrlRow>(urls, {.slots = slots, .wanted = kTalliedColumns.Flags()}, [&](const UrlRow& row) -> Status {
          exact += row.duplicate_of.empty() ? 0 : 1;
          near += row.near_duplicate_of.empty() ? 0 : 1;
          shared_bytes += row.shares_body ? row.bytes : 0;
          return Status::OK();
        }));
    const std::lock_guard<std::mutex> lock(mutex);
    totals->exact_duplicates += exact;
    totals->near_duplicates += near;
    totals->shared_bytes += shared_bytes;
    return Status::OK();
  });
}

}  // namespace

void UrlTally::Report(Json* facts) const {
  Json states = Json::object();
  for (size_t i = 0; i < states_.size(); ++i) {
    if (states_[i] != 0) states[TextOf(static_cast<UrlState>(i))] = states_[i];
  }
  (*facts)[kFact] = {{"states", states},
                     {"bodies", bodies_},
                     {"exact_duplicates", exact_duplicates_},
                     {"near_duplicates", near_duplicates_},
                     {"shared_bytes", shared_bytes_}};
}

Status PlanTotals(const JobEnvironment& environment, const Snapshot& base, Plan* plan) {
  if (base.manifest.totals) return Status::OK();
  const auto threads = environment.options.find("threads");
  const int count = threads == environment.options.end() ? 1 : std::atoi(threads->second.c_str());
  ARROW_ASSIGN_OR_RAISE(const Totals totals,
                        CountTotals(environment.store, base.manifest, std::max(count, 1), environment.stop));
  plan->facts[kFact] = ToJson(totals);
  return Status::OK();
}

Status AddTotals(const Plan& plan, const JobOutput& output, Manifest* next) {
  if (next->number != plan.snapshot + 1) {
    return ConflictError("the totals are those of snapshot ", plan.snapshot, ", which is not the present any more");
  }
  if (!next->totals) {
    ARROW_ASSIGN_OR_RAISE(const Json* before, GetObject(plan.facts, kFact));
    ARROW_ASSIGN_OR_RAISE(next->totals, TotalsFromJson(*before));
  }
  for (const TaskReceipt& receipt : output.receipts) ARROW_RETURN_NOT_OK(AddChange(receipt.facts, &*next->totals));
  return Status::OK();
}

Result<bool> AppendRunsAndTotals(const Plan& plan, const JobOutput& output, Manifest* next) {
  ARROW_ASSIGN_OR_RAISE(const bool changes, AppendRuns(plan, output, next));
  if (changes) ARROW_RETURN_NOT_OK(AddTotals(plan, output, next));
  return changes;
}

Result<Totals> CountTotals(Store* store, const Manifest& manifest, int threads, const StopToken& stop) {
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(store, manifest));
  ARROW_ASSIGN_OR_RAISE(const UrlCounts counts, CountUrls(urls, /*now_ms=*/0, threads, stop));
  Totals totals;
  for (size_t i = 0; i < counts.by_state.size(); ++i) {
    if (counts.by_state[i] != 0) totals.states[TextOf(static_cast<UrlState>(i))] = counts.by_state[i];
  }
  totals.bodies = counts.bodies;
  ARROW_RETURN_NOT_OK(CountDuplicates(urls, threads, stop, &totals));
  for (const Segment& segment : SegmentsOf(manifest)) {
    if (!segment.has_ended(SegmentEnd::kApplied) || segment.is_reading()) continue;
    ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> fetched, ReadStep(store, segment.id, kFetchStep));
    if (fetched) AddSegment(*fetched, &totals);
  }
  return totals;
}

Json DuplicatesJson(const Totals& totals) {
  return {{"exact", totals.exact_duplicates}, {"near", totals.near_duplicates}, {"bytes_saved", totals.shared_bytes}};
}

std::string DuplicatesText(const Json& duplicates) {
  const int64_t exact = CounterOf(duplicates, "exact"), near = CounterOf(duplicates, "near");
  if (exact == 0 && near == 0) return "";
  std::string text = exact == 0  ? ""
                     : near == 0 ? ReadableCount(exact, "exact duplicate")
                                 : ReadableCount(exact) + " exact";
  if (near > 0) text += (exact == 0 ? "" : " and ") + ReadableCount(near, "near duplicate");
  const int64_t saved = CounterOf(duplicates, "bytes_saved");
  return saved == 0 ? text : text + ", " + ReadableSize(saved) + " saved";
}

void AddSegment(const StepRecord& fetched, Totals* totals) {
  ++totals->rounds;
  totals->requests += CounterOf(fetched.counters, "fetched");
  totals->pages += CounterOf(fetched.counters, "pages");
  totals->bytes += CounterOf(fetched.counters, "bytes");
  totals->wire_bytes += CounterOf(fetched.counters, "wire_bytes");
}

}  // namespace trawl
