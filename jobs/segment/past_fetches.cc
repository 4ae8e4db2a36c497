#include "jobs/segment/past_fetches.h"

#include <algorithm>
#include <optional>

#include "formats/rows/catalog.h"
#include "formats/rows/held_row.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "jobs/segment/held_domains.h"
#include "jobs/segment/life.h"
#include "runtime/root/dataset_rows.h"
#include "runtime/root/segment_data.h"
#include "runtime/store/status.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr Columns<FetchRow> kShownColumns = {"key",         "outcome",   "reason",   "status",
                                             "fetched_ms",  "requests",  "total_ms", "bytes",
                                             "conditional", "blameless", "hop_of"};

// The number of the list that has the domain; nothing where no list has it.
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

// The number of the key's row that counts in a file; nothing where the file has none.
Result<std::optional<int64_t>> LastRowOfKey(Store* store, const std::string& segment, const FileReceipt& file,
                                            const std::string& key) {
  std::optional<int64_t> found;
  FetchRow last;
  int64_t number = 0;
  const auto take = [&](const FetchRow& row) {
    if (row.key == key && (!found || IsLater(row, last))) {
      found = number;
      last = row;
    }
    ++number;
    return Status::OK();
  };
  ARROW_RETURN_NOT_OK(
      ForEachDatasetRow<FetchRow>(store, segment, FetchRow::kTable, file, take,
                                  {.columns = {"key", "fetched_ms", "requests"}, .batch_rows = kNarrowBatchRows}));
  return found;
}

Result<bool> ListHas(Store* store, const Segment& segment, const StepTask& list, const std::string& key) {
  for (const FileReceipt& file : list.FilesOf(kFetchlist)) {
    ARROW_ASSIGN_OR_RAISE(const auto numbers, RowNumbersOfKey<UrlRow>(store, segment.id, kFetchlist, file, key));
    if (!numbers.empty()) return true;
  }
  return false;
}

// The row of the key that counts in the files of a task.
Result<std::optional<FetchRow>> LastFetch(Store* store, const Segment& segment, const StepTask& task,
                                          const std::string& key) {
  std::optional<FetchRow> last;
  for (const FileReceipt& file : task.FilesOf(FetchRow::kTable)) {
    ARROW_ASSIGN_OR_RAISE(const std::optional<int64_t> number, LastRowOfKey(store, segment.id, file, key));
    if (!number) continue;
    const auto take = [&last](const FetchRow& row) {
      if (!last || IsLater(row, *last)) last = row;
      return Status::OK();
    };
    ARROW_RETURN_NOT_OK(
        ForEachDatasetRow<FetchRow>(store, segment.id, FetchRow::kTable, file, take,
                                    {.columns = kShownColumns, .rows = {*number, *number + 1}, .batch_rows = 64}));
  }
  return last;
}

// The outcome of the key in a segment; nothing where the segment neither fetched it nor was to fetch it.
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
  std::vector<Segment> segments = SegmentsOf(snapshot);
  std::reverse(segments.begin(), segments.end());
  for (const Segment& segment : segments) {
    if (most_segments-- == 0 || history.size() == most_fetches) break;
    Result<std::optional<FetchRow>> found = FindFetch(store, segment, key, domain);
    // gc removes old segments.
    if (!found.ok() && IsNotFound(found.status())) continue;
    ARROW_RETURN_NOT_OK(found.status());
    if (*found) history.push_back({segment.id, segment.has_ended(SegmentEnd::kApplied), *std::move(*found)});
  }
  return history;
}

}  // namespace trawl
