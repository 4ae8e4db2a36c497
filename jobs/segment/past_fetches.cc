#include "jobs/segment/past_fetches.h"

#include <algorithm>
#include <optional>

#include "formats/rows/catalog.h"
#include "formats/rows/held_row.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "jobs/segment/held_domains.h"
#include "runtime/root/dataset_rows.h"
#include "runtime/root/segment_data.h"
#include "runtime/store/status.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

struct Segment {
  std::string id, job, lists;
  bool is_applied = false;
};

constexpr Columns<FetchRow> kShownColumns = {"key",         "outcome",   "reason",   "status",
                                             "fetched_ms",  "requests",  "total_ms", "bytes",
                                             "conditional", "blameless", "hop_of"};

std::vector<Segment> NewestFirst(const Manifest& snapshot) {
  std::vector<Segment> all;
  for (const ClosedSegment& closed : snapshot.closed_segments) {
    all.push_back({closed.id, closed.job, closed.lists, closed.how == "applied"});
  }
  for (const OpenSegment& open : snapshot.open_segments) all.push_back({open.id, open.job, open.lists});
  std::reverse(all.begin(), all.end());
  return all;
}

// The list that has the domain; nothing where none has it.
Result<std::optional<size_t>> ListOfDomain(Store* store, const Segment& segment, const StepRecord& lists,
                                           const std::string& domain) {
  std::optional<size_t> list;
  for (const FileReceipt& file : lists.FilesOf(HeldRow::kTable)) {
    ARROW_RETURN_NOT_OK(ForEachDatasetRow<HeldRow>(store, segment.id, HeldRow::kTable, file,
                                                   [&](const HeldRow& row) {
                                                     if (row.key == domain) list = static_cast<size_t>(row.list);
                                                     return Status::OK();
                                                   },
                                                   {.columns = {"key", "list"}}));
  }
  return list;
}

Result<bool> ListHas(Store* store, const Segment& segment, const StepTask& list, const std::string& key) {
  for (const FileReceipt& file : list.FilesOf(kFetchlist)) {
    ARROW_ASSIGN_OR_RAISE(const auto numbers, RowNumbersOfKey<UrlRow>(store, segment.id, kFetchlist, file, key));
    if (!numbers.empty()) return true;
  }
  return false;
}

// The last of the key in the files of a task.
Result<std::optional<FetchRow>> LastFetch(Store* store, const Segment& segment, const StepTask& task,
                                          const std::string& key) {
  std::optional<FetchRow> last;
  for (const FileReceipt& file : task.FilesOf(FetchRow::kTable)) {
    ARROW_ASSIGN_OR_RAISE(const std::vector<int64_t> numbers,
                          RowNumbersOfKey<FetchRow>(store, segment.id, FetchRow::kTable, file, key));
    if (numbers.empty()) continue;
    const int64_t number = numbers.back();
    const auto take = [&last](const FetchRow& row) {
      if (!last || row.fetched_ms >= last->fetched_ms) last = row;
      return Status::OK();
    };
    ARROW_RETURN_NOT_OK(
        ForEachDatasetRow<FetchRow>(store, segment.id, FetchRow::kTable, file, take,
                                    {.columns = kShownColumns, .rows = {number, number + 1}, .batch_rows = 64}));
  }
  return last;
}

// What became of the key in a segment; nothing where it was neither fetched nor to be fetched.
Result<std::optional<FetchRow>> FindFetch(Store* store, const Segment& segment, const std::string& key,
                                          const std::string& domain) {
  ARROW_ASSIGN_OR_RAISE(const StepRecord lists, ReadLists(store, segment.id, segment.job, segment.lists));
  ARROW_ASSIGN_OR_RAISE(const auto list, ListOfDomain(store, segment, lists, domain));
  if (!list) return std::nullopt;
  ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> fetched, ReadStep(store, segment.id, kFetchStep));
  if (!fetched || *list >= fetched->tasks.size()) return std::nullopt;
  ARROW_ASSIGN_OR_RAISE(std::optional<FetchRow> last, LastFetch(store, segment, fetched->tasks[*list], key));
  if (last || *list >= lists.tasks.size()) return last;
  ARROW_ASSIGN_OR_RAISE(const bool was_listed, ListHas(store, segment, lists.tasks[*list], key));
  if (!was_listed) return std::nullopt;
  FetchRow missed;
  missed.key = key;
  missed.outcome = Outcome::kNotReached;
  missed.fetched_ms = fetched->now_ms;
  return missed;
}

}  // namespace

Result<std::vector<PastFetch>> ReadFetchHistory(Store* store, const Manifest& snapshot, const std::string& key,
                                                size_t most_segments, size_t most_fetches) {
  const std::string domain = HoldingDomainOf(HostPartOfKey(key));
  std::vector<PastFetch> history;
  for (const Segment& segment : NewestFirst(snapshot)) {
    if (most_segments-- == 0 || history.size() == most_fetches) break;
    Result<std::optional<FetchRow>> found = FindFetch(store, segment, key, domain);
    // gc takes old segments away.
    if (!found.ok() && IsNotFound(found.status())) continue;
    ARROW_RETURN_NOT_OK(found.status());
    if (*found) history.push_back({segment.id, segment.is_applied, *std::move(*found)});
  }
  return history;
}

}  // namespace trawl
