#include "jobs/read/segment_dump.h"

#include <unordered_map>

#include "formats/digests/digest.h"
#include "formats/rows/catalog.h"
#include "formats/rows/url_row.h"
#include "runtime/root/segment_data.h"
#include "runtime/store/status.h"

namespace trawl {

using arrow::Status;

namespace {

constexpr int64_t kBatchRows = 1024;

constexpr auto kBriefColumns = Columns<FetchRow>::AllBut({"listed", "request_headers", "response_headers"});

// Finds the rows that count among the rows of one task, which has all rows of its URLs.
class LastRows {
 public:
  void Add(const FetchRow& row) {
    const Last now = {{row.fetched_ms, row.requests}, rows_++};
    const auto [at, is_new] = last_.try_emplace(Hash64(row.key), now);
    if (!is_new && IsLater(now.order, at->second.order)) at->second = now;
  }
  bool Counts(const std::string& key, int64_t number) const {
    const auto found = last_.find(Hash64(key));
    return found != last_.end() && found->second.number == number;
  }
  bool Has(const std::string& key) const { return last_.contains(Hash64(key)); }

 private:
  struct Last {
    FetchOrder order;
    int64_t number = 0;
  };
  int64_t rows_ = 0;
  std::unordered_map<uint64_t, Last> last_;
};

const std::vector<FileReceipt>& FilesOfTask(const StepRecord& record, size_t task, const char* dataset) {
  static const StepTask kNoTask;
  return (task < record.tasks.size() ? record.tasks[task] : kNoTask).FilesOf(dataset);
}

}  // namespace

Status ForEachFetched(Store* store, const StepRecord& fetched, const StepRecord* lists, const StopToken& stop,
                      const std::function<Status(const FetchRow& row)>& visit,
                      const std::function<Status(const std::string& key)>& not_reached) {
  const size_t tasks = std::max(fetched.tasks.size(), lists == nullptr ? 0 : lists->tasks.size());
  for (size_t task = 0; task < tasks; ++task) {
    const auto& files = FilesOfTask(fetched, task, FetchRow::kTable);
    LastRows last;
    for (const FileReceipt& file : files) {
      ARROW_RETURN_NOT_OK(stop.Check());
      const auto add = [&last](const FetchRow& row) {
        last.Add(row);
        return Status::OK();
      };
      ARROW_RETURN_NOT_OK(
          ForEachDatasetRow<FetchRow>(store, fetched.segment, FetchRow::kTable, file, add,
                                      {.columns = {"key", "fetched_ms", "requests"}, .batch_rows = kBatchRows}));
    }
    int64_t number = 0;
    for (const FileReceipt& file : files) {
      const auto show = [&](const FetchRow& row) -> Status {
        if (number % kBatchRows == 0) ARROW_RETURN_NOT_OK(stop.Check());
        return last.Counts(row.key, number++) ? visit(row) : Status::OK();
      };
      ARROW_RETURN_NOT_OK(ForEachDatasetRow<FetchRow>(store, fetched.segment, FetchRow::kTable, file, show,
                                                      {.columns = kBriefColumns, .batch_rows = kBatchRows}));
    }
    if (lists == nullptr) continue;
    for (const FileReceipt& file : FilesOfTask(*lists, task, kFetchlist)) {
      const auto check = [&](const UrlRow& row) { return last.Has(row.key) ? Status::OK() : not_reached(row.key); };
      const Status read = ForEachDatasetRow<UrlRow>(store, lists->segment, kFetchlist, file, check,
                                                    {.columns = {"key"}, .batch_rows = kBatchRows});
      // gc removes a list whose URLs all have an outcome.
      if (!IsNotFound(read)) ARROW_RETURN_NOT_OK(read);
    }
  }
  return Status::OK();
}

}  // namespace trawl
