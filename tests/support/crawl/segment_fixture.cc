#include "tests/support/crawl/segment_fixture.h"

#include "formats/documents/sealed_json.h"
#include "formats/url/key.h"
#include "jobs/generate/generate.h"
#include "jobs/updatedb/updatedb.h"
#include "runtime/job/local_runner.h"
#include "runtime/root/layout.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

template <typename Row>
Status AddDataset(Store* store, const std::string& segment, const std::string& dataset, const std::vector<Row>& rows,
                  StepRecord* record) {
  RunWriter<Row> writer(store, DatasetFolder(segment, dataset), "m0-0", {.sorted = false});
  for (const Row& row : rows) ARROW_RETURN_NOT_OK(writer.Append(row));
  record->schemas[dataset] = Row::kVersion;
  ARROW_ASSIGN_OR_RAISE(record->tasks[0].files[dataset], writer.Finish());
  return Status::OK();
}

}  // namespace

SegmentFixture::SegmentFixture(const std::string& root) {
  if (root.empty()) folder_ = std::make_unique<TemporaryFolder>();
  root_ = root.empty() ? folder_->path() : root;
  store_ = OpenStore(root_, {.sync = false}).ValueOrDie();
  Manifest first;
  first.normal_form = "standard";
  first.unicode = "17.0";
  (void)CreateCrawl(store(), first).ValueOrDie();
}

Manifest SegmentFixture::Present() const { return ReadPresent(store()).ValueOrDie().manifest; }

Status SegmentFixture::Publish(const std::string& what, const std::function<void(Manifest*)>& change) {
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(store()));
  Manifest next = NextManifest(present, NextId("job"), what, now_ms);
  change(&next);
  return PublishSnapshot(store(), next).status();
}

Status SegmentFixture::PublishRun(const std::string& run, const RunRecord& record) {
  ARROW_ASSIGN_OR_RAISE(const RunReference reference, WriteRunRecord(store(), run, record));
  return Publish("test", [&](Manifest* next) { next->tables[record.table].push_back(reference); });
}

Status SegmentFixture::Open(const std::string& segment) {
  StepRecord lists = {.segment = segment,
                      .step = kGenerateStep,
                      .job = NextId("generate"),
                      .snapshot = Present().number,
                      .now_ms = now_ms};
  const std::string text = SealJson(ToJson(lists));
  ARROW_RETURN_NOT_OK(store()->CreateExclusive(ListsRecordPath(segment, lists.job), text).status());
  return Publish("generate", [&](Manifest* next) {
    next->open_segments.push_back({.id = segment,
                                   .opened_ms = now_ms,
                                   .until_ms = now_ms + 86'400'000,
                                   .job = lists.job,
                                   .lists = SealOfText(text)});
  });
}

Result<JobResult> SegmentFixture::Generate(const std::string& segment, int64_t at_ms) {
  LocalRunner runner({.threads = 1, .temp_folder = root_});
  JobEnvironment environment;
  environment.store = store();
  environment.runner = &runner;
  environment.clock = &SystemClock();
  environment.now_ms = at_ms;
  environment.version = "test";
  environment.options = GenerateOptionTexts();
  ARROW_ASSIGN_OR_RAISE(const GenerateOutcome outcome, GenerateSegment(environment, segment, 1));
  return outcome.job;
}

Status SegmentFixture::Close(const std::string& segment, SegmentEnd end) {
  return Publish(TextOf(end), [&](Manifest* next) {
    for (const OpenSegment& open : next->open_segments) {
      if (open.id == segment) next->closed_segments.push_back({segment, end, open.job, open.lists, next->number});
    }
    std::erase_if(next->open_segments, [&](const OpenSegment& open) { return open.id == segment; });
  });
}

Status SegmentFixture::CreateRecord(const StepRecord& record) {
  return store()->CreateExclusive(DatasetRecordPath(record.segment, record.step), SealJson(ToJson(record))).status();
}

Status SegmentFixture::Finish(const std::string& segment, const SegmentRows& rows) {
  StepRecord fetch = {.segment = segment, .step = kFetchStep, .job = NextId("fetch"), .tasks = {StepTask()}};
  ARROW_RETURN_NOT_OK(AddDataset(store(), segment, "fetch", rows.fetch, &fetch));
  ARROW_RETURN_NOT_OK(AddDataset(store(), segment, "hosts", rows.hosts, &fetch));
  ARROW_RETURN_NOT_OK(AddDataset(store(), segment, "robots", rows.robots, &fetch));
  ARROW_RETURN_NOT_OK(AddDataset(store(), segment, "content", rows.content, &fetch));
  ARROW_RETURN_NOT_OK(CreateRecord(fetch));
  StepRecord parse = {.segment = segment, .step = kParseStep, .job = NextId("parse"), .tasks = {StepTask()}};
  ARROW_RETURN_NOT_OK(AddDataset(store(), segment, "parse", rows.parse, &parse));
  ARROW_RETURN_NOT_OK(AddDataset(store(), segment, "links", rows.links, &parse));
  return CreateRecord(parse);
}

Result<JobResult> SegmentFixture::Apply(const std::string& segment, OptionTexts options, int partitions) {
  LocalRunner runner({.threads = threads, .memory_bytes = 256 << 20, .temp_folder = root_, .attempts = 1});
  JobEnvironment environment;
  environment.store = store();
  environment.runner = &runner;
  environment.clock = &SystemClock();
  environment.now_ms = now_ms;
  environment.version = "test";
  environment.options = std::move(options);
  environment.options.merge(UpdatedbOptionTexts());
  return RunJob(environment, UpdatedbRequest(store(), segment, {.partitions = partitions}));
}

FetchRow FetchOf(const UrlRow& listed, Outcome outcome, int32_t status, int64_t fetched_ms) {
  FetchRow row;
  row.key = listed.key;
  row.kind = listed.kind;
  row.outcome = outcome;
  row.status = status;
  row.fetched_ms = fetched_ms;
  row.requests = 1;
  row.depth = listed.depth;
  EncodeRow(listed, &row.listed);
  return row;
}

LinkRow LinkOf(const std::string& from, const std::string& to, int32_t depth, bool counts) {
  LinkRow row;
  row.key = from;
  row.to = to;
  row.url = UrlOfKey(to).ValueOrDie();
  row.how = "a";
  row.enters = true;
  row.counts = counts;
  row.depth = depth;
  return row;
}

UrlRow UnfetchedRow(const std::string& key, int32_t depth) {
  UrlRow row;
  row.key = key;
  row.depth = depth;
  return row;
}

}  // namespace trawl
