#include "jobs/segment/past_fetches.h"

#include <algorithm>
#include <optional>

#include "formats/rows/candidate_row.h"
#include "formats/rows/catalog.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "jobs/segment/held_domains.h"
#include "jobs/segment/life.h"
#include "runtime/root/dataset_rows.h"
#include "runtime/root/segment_data.h"
#include "runtime/store/status.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr Columns<FetchRow> kShownColumns = {"key",         "outcome",   "reason",   "status",
                                             "fetched_ms",  "requests",  "total_ms", "bytes",
                                             "conditional", "blameless", "hop_of",   "robots_line"};

PastFetch PastFetchIn(const Segment& segment, const FetchRow& row, const FileReceipt& file, int64_t number) {
  return {segment.id, segment.has_ended(SegmentEnd::kApplied), row, file, number};
}

// The number of the list that has the domain; nothing where no list has it.
Result<std::optional<size_t>> ListOfDomain(Store* store, const Segment& segment, const StepRecord& lists,
                                           const std::string& domain) {
  std::optional<size_t> list;
  for (const FileReceipt& file : lists.FilesOf(HeldRow::kTable)) {
    const Status read = ForEachDatasetRow<HeldRow>(store, segment.id, HeldRow::kTable, file,
                                                   [&](const HeldRow& row) {
                                                     if (row.key == domain) list = static_cast<size_t>(row.list);
                                                     return Status::OK();
                                                   },
                                                   {.columns = {"key", "list"}});
    // gc removes it where there is one short list.
    if (IsNotFound(read) && lists.tasks.size() == 1) return 0;
    ARROW_RETURN_NOT_OK(read);
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
    const auto numbers = RowNumbersOfKey<UrlRow>(store, segment.id, kFetchlist, file, key);
    // gc removes a list whose URLs all have an outcome.
    if (!numbers.ok() && IsNotFound(numbers.status())) continue;
    ARROW_RETURN_NOT_OK(numbers.status());
    if (!numbers->empty()) return true;
  }
  return false;
}

// The row of the key that counts in the files of a task.
Result<std::optional<PastFetch>> LastFetch(Store* store, const Segment& segment, const StepTask& task,
                                           const std::string& key) {
  std::optional<PastFetch> last;
  for (const FileReceipt& file : task.FilesOf(FetchRow::kTable)) {
    ARROW_ASSIGN_OR_RAISE(const std::optional<int64_t> number, LastRowOfKey(store, segment.id, file, key));
    if (!number) continue;
    const auto take = [&](const FetchRow& row) {
      if (!last || IsLater(row, last->row)) last = PastFetchIn(segment, row, file, *number);
      return Status::OK();
    };
    ARROW_RETURN_NOT_OK(
        ForEachDatasetRow<FetchRow>(store, segment.id, FetchRow::kTable, file, take,
                                    {.columns = kShownColumns, .rows = {*number, *number + 1}, .batch_rows = 64}));
  }
  return last;
}

// The number of the list that had the key's domain in a segment, and the segment's fetch; nothing where either is
// missing.
struct ListOfSegment {
  StepRecord lists;
  StepRecord fetched;
  size_t list = 0;
};
Result<std::optional<ListOfSegment>> FindList(Store* store, const Segment& segment, const std::string& domain) {
  ListOfSegment found;
  ARROW_ASSIGN_OR_RAISE(found.lists, ReadLists(store, segment.id, segment.job, segment.lists));
  ARROW_ASSIGN_OR_RAISE(const auto list, ListOfDomain(store, segment, found.lists, domain));
  if (!list) return std::nullopt;
  found.list = *list;
  ARROW_ASSIGN_OR_RAISE(std::optional<StepRecord> fetched, ReadStep(store, segment.id, kFetchStep));
  if (!fetched || found.list >= fetched->tasks.size()) return std::nullopt;
  found.fetched = *std::move(fetched);
  return found;
}

// The outcome of the key in a segment; nothing where the segment neither fetched it nor was to fetch it.
Result<std::optional<PastFetch>> FindFetch(Store* store, const Segment& segment, const std::string& key,
                                           const std::string& domain) {
  ARROW_ASSIGN_OR_RAISE(const auto found, FindList(store, segment, domain));
  if (!found) return std::nullopt;
  ARROW_ASSIGN_OR_RAISE(std::optional<PastFetch> last,
                        LastFetch(store, segment, found->fetched.tasks[found->list], key));
  if (last || found->list >= found->lists.tasks.size()) return last;
  ARROW_ASSIGN_OR_RAISE(const bool was_listed, ListHas(store, segment, found->lists.tasks[found->list], key));
  if (!was_listed) return std::nullopt;
  FetchRow missed;
  missed.key = key;
  missed.outcome = Outcome::kNotReached;
  missed.fetched_ms = found->fetched.now_ms;
  return PastFetchIn(segment, missed, {}, 0);
}

// The row of that key and time in a segment. Only the column of times is read of the rows that are others.
Result<std::optional<PastFetch>> FindFetchAtIn(Store* store, const Segment& segment, const std::string& key,
                                               const std::string& domain, int64_t fetched_ms) {
  ARROW_ASSIGN_OR_RAISE(const auto found, FindList(store, segment, domain));
  if (!found) return std::nullopt;
  for (const FileReceipt& file : found->fetched.tasks[found->list].FilesOf(FetchRow::kTable)) {
    std::vector<int64_t> numbers;
    int64_t number = 0;
    const auto look = [&](const FetchRow& row) {
      if (row.fetched_ms == fetched_ms) numbers.push_back(number);
      ++number;
      return Status::OK();
    };
    ARROW_RETURN_NOT_OK(ForEachDatasetRow<FetchRow>(store, segment.id, FetchRow::kTable, file, look,
                                                    {.columns = {"fetched_ms"}, .batch_rows = kNarrowBatchRows}));
    std::optional<PastFetch> fetch;
    for (const int64_t at : numbers) {
      const auto take = [&](const FetchRow& row) {
        if (row.key == key) fetch = PastFetchIn(segment, row, file, at);
        return Status::OK();
      };
      ARROW_RETURN_NOT_OK(
          ForEachDatasetRow<FetchRow>(store, segment.id, FetchRow::kTable, file, take,
                                      {.columns = kShownColumns, .rows = {at, at + 1}, .batch_rows = 64}));
    }
    if (fetch) return fetch;
  }
  return std::nullopt;
}

// Whether the segment's id tells that it began after that time. Ids that trawl makes begin like "20260101T120000Z-".
bool BeganAfter(const std::string& id, int64_t time_ms) {
  std::string stamp = FormatTimestamp(time_ms / 1000 * 1000);
  std::erase_if(stamp, [](char c) { return c == '-' || c == ':'; });
  const std::string beginning = id.substr(0, stamp.size());
  const bool has_stamp = beginning.size() == stamp.size() && beginning[8] == 'T' && beginning.back() == 'Z';
  return has_stamp && beginning > stamp;
}

}  // namespace

Result<std::vector<PastFetch>> ReadFetchHistory(Store* store, const Manifest& snapshot, const std::string& key,
                                                size_t most_segments, size_t most_fetches) {
  const std::string domain = HoldingDomainOf(HostPartOfKey(key));
  std::vector<PastFetch> history;
  std::vector<Segment> segments = SegmentsOf(snapshot);
  std::reverse(segments.begin(), segments.end());
  for (const Segment& segment : segments) {
    if (segment.is_reading()) continue;
    if (most_segments-- == 0 || history.size() == most_fetches) break;
    Result<std::optional<PastFetch>> found = FindFetch(store, segment, key, domain);
    // gc removes old segments.
    if (!found.ok() && IsNotFound(found.status())) continue;
    ARROW_RETURN_NOT_OK(found.status());
    if (*found) history.push_back(**std::move(found));
  }
  return history;
}

namespace {

// The requests for the host in one segment; none where the segment did not have its domain.
Status AddHostFetches(Store* store, const Segment& segment, const std::string& host_part,
                      std::vector<PastFetch>* fetches) {
  ARROW_ASSIGN_OR_RAISE(const auto found, FindList(store, segment, HoldingDomainOf(host_part)));
  if (!found) return Status::OK();
  const std::string beginning = host_part + ")";
  for (const FileReceipt& file : found->fetched.tasks[found->list].FilesOf(FetchRow::kTable)) {
    int64_t number = 0;
    const auto take = [&](const FetchRow& row) {
      if (row.requests > 0 && row.key.starts_with(beginning)) {
        fetches->push_back(PastFetchIn(segment, row, file, number));
      }
      ++number;
      return Status::OK();
    };
    ARROW_RETURN_NOT_OK(ForEachDatasetRow<FetchRow>(store, segment.id, FetchRow::kTable, file, take,
                                                    {.columns = kShownColumns, .batch_rows = kNarrowBatchRows}));
  }
  return Status::OK();
}

}  // namespace

Result<std::vector<PastFetch>> ReadHostFetches(Store* store, const Manifest& snapshot, const std::string& host_part,
                                               size_t most_segments, size_t most_fetches) {
  std::vector<PastFetch> fetches;
  std::vector<Segment> segments = SegmentsOf(snapshot);
  std::reverse(segments.begin(), segments.end());
  for (const Segment& segment : segments) {
    if (segment.is_reading()) continue;
    if (most_segments-- == 0 || fetches.size() >= most_fetches) break;
    const Status added = AddHostFetches(store, segment, host_part, &fetches);
    // gc removes old segments.
    if (!added.ok() && !IsNotFound(added)) return added;
  }
  std::stable_sort(fetches.begin(), fetches.end(),
                   [](const PastFetch& a, const PastFetch& b) { return a.row.fetched_ms > b.row.fetched_ms; });
  if (fetches.size() > most_fetches) fetches.resize(most_fetches);
  return fetches;
}

Result<std::optional<PastFetch>> FindFetchAt(Store* store, const Manifest& snapshot, const std::string& key,
                                             int64_t fetched_ms, size_t most_segments) {
  const std::string domain = HoldingDomainOf(HostPartOfKey(key));
  std::vector<Segment> segments = SegmentsOf(snapshot);
  std::reverse(segments.begin(), segments.end());
  std::stable_partition(segments.begin(), segments.end(),
                        [fetched_ms](const Segment& segment) { return !BeganAfter(segment.id, fetched_ms); });
  for (const Segment& segment : segments) {
    if (segment.is_reading()) continue;
    if (most_segments-- == 0) break;
    Result<std::optional<PastFetch>> found = FindFetchAtIn(store, segment, key, domain, fetched_ms);
    if (!found.ok() && IsNotFound(found.status())) continue;
    ARROW_RETURN_NOT_OK(found.status());
    if (*found) return *found;
  }
  return std::nullopt;
}

// fetch writes the row of an answer into the file that has the name of the body's. Those that share the body are not meant.
Result<std::optional<PastFetch>> FindFetchOfBody(Store* store, const Manifest& snapshot, const StepRecord& fetched,
                                                 const std::string& content_file, int64_t content_row) {
  const std::optional<Segment> segment = FindSegment(snapshot, fetched.segment);
  for (const FileReceipt& file : fetched.FilesOf(FetchRow::kTable)) {
    if (file.name != content_file) continue;
    std::optional<int64_t> at;
    int64_t number = 0;
    const auto look = [&](const FetchRow& row) {
      if (row.content_row == content_row && row.content_file == content_file && !row.shares_body) at = number;
      ++number;
      return Status::OK();
    };
    ARROW_RETURN_NOT_OK(ForEachDatasetRow<FetchRow>(
        store, fetched.segment, FetchRow::kTable, file, look,
        {.columns = {"content_file", "content_row", "shares_body"}, .batch_rows = kNarrowBatchRows}));
    if (!at) return std::nullopt;
    PastFetch fetch = PastFetchIn(segment.value_or(Segment{.id = fetched.segment}), {}, file, *at);
    ARROW_ASSIGN_OR_RAISE(fetch.row, ReadWholeFetch(store, fetch));
    return fetch;
  }
  return std::nullopt;
}

Result<FetchRow> ReadWholeFetch(Store* store, const PastFetch& fetch) {
  FetchRow whole = fetch.row;
  if (fetch.file.name.empty()) return whole;
  const auto take = [&whole](const FetchRow& row) {
    whole = row;
    return Status::OK();
  };
  ARROW_RETURN_NOT_OK(ForEachDatasetRow<FetchRow>(
      store, fetch.segment, FetchRow::kTable, fetch.file, take,
      {.columns = Columns<FetchRow>::AllBut({"listed"}), .rows = {fetch.number, fetch.number + 1}, .batch_rows = 64}));
  return whole;
}

}  // namespace trawl
