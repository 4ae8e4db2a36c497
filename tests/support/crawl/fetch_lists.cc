#include "tests/support/crawl/fetch_lists.h"

#include "formats/documents/sealed_json.h"
#include "formats/url/key.h"
#include "formats/url/normal.h"
#include "runtime/root/layout.h"
#include "runtime/root/segment_data.h"
#include "runtime/root/snapshot.h"
#include "runtime/tables/run_writer.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kJob[] = "20260101T000000Z-generate-00000001";

template <typename Row>
Status WriteDataset(Store* store, const std::string& segment, const std::string& dataset, size_t list,
                    const std::vector<Row>& rows, StepTask* task) {
  RowFileOptions options;
  options.sorted = false;
  RunWriter<Row> writer(store, DatasetFolder(segment, dataset), std::string(kJob) + "-r" + std::to_string(list) + "-0",
                        options);
  for (const Row& row : rows) ARROW_RETURN_NOT_OK(writer.Append(row));
  return writer.Finish().Value(&task->files[dataset]);
}

}  // namespace

UrlRow ListedUrl(const std::string& url) {
  UrlRow row;
  const auto normal = NormalizeUrl(url, NormalForm::kStandard);
  row.key = normal.ok() ? KeyOfUrl(*normal).ValueOr("") : "";
  if (normal.ok() && *normal != url) row.spelling = url;
  row.score = kScoreOne / 2;
  return row;
}

std::vector<UrlRow> ListedUrls(const std::vector<std::string>& urls) {
  std::vector<UrlRow> rows;
  for (const std::string& url : urls) rows.push_back(ListedUrl(url));
  return rows;
}

Result<OpenSegment> OpenFetchSegment(Store* store, const std::vector<FetchListContent>& lists,
                                     const FetchListOptions& options) {
  Manifest first;
  first.normal_form = options.normal_form;
  first.unicode = "17.0";
  first.published_ms = options.now_ms;
  ARROW_ASSIGN_OR_RAISE(const Snapshot base, CreateCrawl(store, first));
  StepRecord record;
  record.segment = options.segment;
  record.step = kGenerateStep;
  record.job = kJob;
  record.snapshot = base.manifest.number;
  record.now_ms = options.now_ms;
  record.schemas = {{"fetchlist", UrlRow::kVersion},
                    {"fetchlist_hosts", HostRow::kVersion},
                    {"fetchlist_robots", RobotsRow::kVersion}};
  for (size_t i = 0; i < lists.size(); ++i) {
    StepTask task;
    ARROW_RETURN_NOT_OK(WriteDataset(store, options.segment, "fetchlist", i, lists[i].urls, &task));
    ARROW_RETURN_NOT_OK(WriteDataset(store, options.segment, "fetchlist_hosts", i, lists[i].hosts, &task));
    ARROW_RETURN_NOT_OK(WriteDataset(store, options.segment, "fetchlist_robots", i, lists[i].robots, &task));
    task.facts = {{"urls", lists[i].urls.size()}, {"time_limit_ms", options.time_limit_ms}};
    record.tasks.push_back(std::move(task));
  }
  const std::string text = SealJson(ToJson(record));
  ARROW_RETURN_NOT_OK(store->CreateExclusive(ListsRecordPath(options.segment, kJob), text).status());
  const OpenSegment segment = {.id = options.segment,
                               .opened_ms = options.now_ms,
                               .until_ms = options.now_ms + options.hold_ms,
                               .job = kJob,
                               .lists = SealOfText(text)};
  Manifest next = NextManifest(base, kJob, "generate", options.now_ms);
  next.open_segments.push_back(segment);
  ARROW_ASSIGN_OR_RAISE(const PublishOutcome outcome, PublishSnapshot(store, next));
  if (outcome != PublishOutcome::kPublished) return Status::IOError("another test published first");
  return segment;
}

template <typename Row>
Result<std::vector<Row>> ReadDataset(Store* store, const std::string& segment, const StepRecord& record) {
  std::vector<Row> rows;
  for (const FileReceipt& file : record.FilesOf(Row::kTable)) {
    ARROW_RETURN_NOT_OK(ForEachDatasetRow<Row>(store, segment, Row::kTable, file, [&rows](const Row& row) {
      rows.push_back(row);
      return Status::OK();
    }));
  }
  return rows;
}
template Result<std::vector<FetchRow>> ReadDataset(Store*, const std::string&, const StepRecord&);
template Result<std::vector<ContentRow>> ReadDataset(Store*, const std::string&, const StepRecord&);
template Result<std::vector<HostRow>> ReadDataset(Store*, const std::string&, const StepRecord&);
template Result<std::vector<RobotsRow>> ReadDataset(Store*, const std::string&, const StepRecord&);

Result<std::map<std::string, FetchRow>> LastFetchRows(Store* store, const std::string& segment) {
  ARROW_ASSIGN_OR_RAISE(const auto record, ReadStep(store, segment, kFetchStep));
  if (!record) return Status::IOError("fetch of ", segment, " is not done");
  ARROW_ASSIGN_OR_RAISE(const std::vector<FetchRow> rows, ReadDataset<FetchRow>(store, segment, *record));
  std::map<std::string, FetchRow> last;
  for (const FetchRow& row : rows) last[row.key] = row;
  return last;
}

SegmentChoice ChoiceOf(const OpenSegment& segment) {
  return {.id = segment.id, .job = segment.job, .lists = segment.lists, .is_open = true, .until_ms = segment.until_ms};
}

}  // namespace trawl
