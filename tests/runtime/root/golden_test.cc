// Tests every persistent format, byte for byte: tests/data/golden holds a small crawl with all of them. One test writes
// the same bytes again; the other reads the files of an earlier version. Where the first fails, a format has changed:
// raise its version, keep reading the old one, and write the new files with TRAWL_TEST_WRITE_GOLDEN=1. (ORC files also
// change with the ORC library.)
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "formats/documents/attempt_entry.h"
#include "formats/documents/sealed_json.h"
#include "formats/documents/step_record.h"
#include "formats/rows/candidate_row.h"
#include "formats/rows/content_row.h"
#include "formats/rows/fetch_row.h"
#include "formats/rows/host_row.h"
#include "formats/rows/link_row.h"
#include "formats/rows/parse_row.h"
#include "formats/rows/robots_row.h"
#include "formats/rows/url_row.h"
#include "runtime/job/job.h"
#include "runtime/job/local_runner.h"
#include "runtime/job/slot_parts.h"
#include "runtime/root/layout.h"
#include "runtime/root/segment_data.h"
#include "runtime/tables/key_lookup.h"
#include "runtime/tables/merge_scan.h"
#include "tests/support/process/manual_clock.h"
#include "tests/support/store/stored_files.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/values/full_row.h"
#include "tests/support/values/test_data.h"

namespace trawl {
namespace {

namespace fs = std::filesystem;
using arrow::Status;

const ProcessIdentity kProcess = {.machine = "boot-1", .pid = 12, .started = 345};
constexpr char kJob[] = "20260301T120000Z-golden-00000001";
constexpr char kStepJob[] = "20260301T120000Z-golden-00000002";
constexpr char kSegment[] = "s2";

template <typename Row>
std::vector<Row> GoldenRows(const std::string& key) {
  Row plain;
  plain.key = key + "a";
  Row tombstone;
  tombstone.key = key + "b";
  tombstone.removed = true;
  return {FullRow<Row>(key), plain, tombstone};
}

const std::vector<UrlRow> kUrls = GoldenRows<UrlRow>("com,example,www)/page");
const std::vector<HostRow> kHosts = GoldenRows<HostRow>("com,example,www");
const std::vector<RobotsRow> kRobots = GoldenRows<RobotsRow>("com,example,www)http:8080");

// Rows of a segment: one whose fields are all set, and one that has only its key.
template <typename Row>
std::vector<Row> SegmentRows() {
  Row bare;
  bare.key = "com,example,www)/bare";
  return {FullRow<Row>("com,example,www)/page"), bare};
}

template <typename Row>
Status WriteRows(TaskContext& context, std::vector<Row> rows) {
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return RowPlace{SlotOfKey(a.key), a.key} < RowPlace{SlotOfKey(b.key), b.key};
  });
  RunWriter<Row>* const run = context.OpenRun<Row>();
  for (const Row& row : rows) ARROW_RETURN_NOT_OK(run->Append(row));
  return Status::OK();
}

Status MapGolden(TaskContext& context, const Json&, RowSink&) {
  context.counters()["rows"] = 9;
  context.samples().Add({"list.txt", 3, "is no URL", "nonsense"});
  ARROW_RETURN_NOT_OK(WriteRows(context, kUrls));
  ARROW_RETURN_NOT_OK(WriteRows(context, kHosts));
  return WriteRows(context, kRobots);
}

template <typename Row>
Status WriteDataset(TaskContext& context) {
  RunWriter<Row>* const rows = context.OpenDataset<Row>(Row::kTable, {.sorted = false});
  for (const Row& row : SegmentRows<Row>()) ARROW_RETURN_NOT_OK(rows->Append(row));
  return Status::OK();
}

Status MapSegment(TaskContext& context, const Json&, RowSink&) {
  context.counters()["asked"] = 2;
  ARROW_RETURN_NOT_OK(WriteDataset<HeldRow>(context));
  ARROW_RETURN_NOT_OK(WriteDataset<FetchRow>(context));
  ARROW_RETURN_NOT_OK(WriteDataset<ContentRow>(context));
  ARROW_RETURN_NOT_OK(WriteDataset<ParseRow>(context));
  return WriteDataset<LinkRow>(context);
}

// A real segment gets these in several steps; this one gets them all at once.
Status WriteSegment(const JobEnvironment& environment) {
  JobRequest request;
  request.spec = {.name = "golden", .map = MapSegment};
  request.commit = Commit::kStepRecord;
  request.step = kFetchStep;
  request.keeps_plan = true;  // its format is pinned, too
  request.plan = [](const JobEnvironment&, const Snapshot&, Plan* plan) {
    plan->job = kStepJob;
    plan->process = kProcess;
    plan->parts = {{{"list", 0}}};
    plan->facts["segment"] = kSegment;
    return Status::OK();
  };
  return RunJob(environment, request).status();
}

std::vector<AttemptEntry> ChainEntries() {
  AttemptEntry begin = {.event = AttemptEvent::kBegin, .attempt = "a1", .lease_ms = 60'000, .at_ms = 7};
  begin.process = kProcess;
  begin.lists_job = "j2";
  AttemptEntry part = {.event = AttemptEvent::kPart, .attempt = "a1", .lease_ms = 60'000, .at_ms = 8};
  part.process = begin.process;
  FileReceipt file;
  file.name = "a1-0.orc";
  file.rows = 3;
  part.files["fetch"] = {file};
  part.counters = {{"asked", 3}};
  AttemptEntry end = {.event = AttemptEvent::kEnd, .attempt = "a1", .lease_ms = 60'000, .at_ms = 9, .done = true};
  end.process = begin.process;
  return {begin, part, end};
}

std::string ChainEntryPath(size_t number) { return AttemptPath(kSegment, 0, static_cast<int64_t>(number)); }

Status WriteChain(Store* store) {
  const std::vector<AttemptEntry> entries = ChainEntries();
  for (size_t i = 0; i < entries.size(); ++i) {
    ARROW_RETURN_NOT_OK(store->CreateExclusive(ChainEntryPath(i), SealJson(ToJson(entries[i]))).status());
  }
  return Status::OK();
}

Status WriteCrawl(Store* store) {
  Manifest first;
  first.normal_form = "standard";
  first.unicode = "17.0";
  ARROW_RETURN_NOT_OK(CreateCrawl(store, first).status());
  const ManualClock clock;
  LocalRunner runner({.threads = 1});
  JobEnvironment environment;
  environment.store = store;
  environment.runner = &runner;
  environment.clock = &clock;
  environment.now_ms = clock.NowMs();
  environment.version = "1.0";
  environment.options = {{"job.partitions", "0"}};
  JobRequest request;
  request.spec = {.name = "golden", .map = MapGolden};
  request.keeps_plan = true;
  request.plan = [](const JobEnvironment&, const Snapshot&, Plan* plan) {
    plan->job = kJob;
    plan->process = kProcess;
    plan->parts = {{{"slots", SlotsToJson({})}}};
    plan->facts["fact"] = 7;
    return Status::OK();
  };
  request.apply = [](const Plan& plan, const JobOutput& output, Manifest* next) {
    next->open_segments = {{.id = "s2", .opened_ms = 5, .until_ms = 6, .job = "j2", .lists = "0123456789abcdef"}};
    next->closed_segments = {
        {.id = "s1", .end = SegmentEnd::kApplied, .job = "j1", .lists = "fedcba9876543210", .snapshot = 1}};
    next->settings = {{"job.partitions", "0"}};
    return AppendRuns(plan, output, next);
  };
  ARROW_RETURN_NOT_OK(RunJob(environment, request).status());
  ARROW_RETURN_NOT_OK(WriteSegment(environment));
  return WriteChain(store);
}

// The rows' bytes in the shuffle and in logical digests, each after its length.
std::string CodecBytes() {
  std::string all, bytes;
  const auto add = [&](const auto& row) {
    EncodeRow(row, &bytes);
    const auto size = static_cast<uint32_t>(bytes.size());
    all.append(reinterpret_cast<const char*>(&size), sizeof size).append(bytes);
  };
  for (const UrlRow& row : kUrls) add(row);
  for (const HostRow& row : kHosts) add(row);
  for (const RobotsRow& row : kRobots) add(row);
  for (const FetchRow& row : SegmentRows<FetchRow>()) add(row);
  for (const ParseRow& row : SegmentRows<ParseRow>()) add(row);
  for (const LinkRow& row : SegmentRows<LinkRow>()) add(row);
  return all;
}

TEST(Golden, TheSameBytesAreWritten) {
  const TemporaryFolder folder;
  const auto store = *OpenStore(folder.path(), {.sync = false});
  ASSERT_OK(WriteCrawl(store.get()));
  std::ofstream(folder.path() + "/rows.bin", std::ios::binary) << CodecBytes();
  const std::string golden = TestDataPath("golden");
  if (std::getenv("TRAWL_TEST_WRITE_GOLDEN") != nullptr) {
    fs::remove_all(golden);
    fs::copy(folder.path(), golden, fs::copy_options::recursive);
  }
  const auto written = FilesIn(folder.path());
  const auto stored = FilesIn(golden);
  // 2 manifests, plans and reports of 2 jobs, row bytes; data of 3 tables and one file with their records; 5 datasets of a segment,
  // a step's record, and 3 entries of a chain.
  EXPECT_EQ(stored.size(), 7u + 3 + 1 + 5 + 1 + 3);
  for (const auto& [name, bytes] : stored) {
    ASSERT_TRUE(written.contains(name)) << name;
    EXPECT_TRUE(written.at(name) == bytes) << name << " is written otherwise than it was";
  }
  EXPECT_EQ(written.size(), stored.size());
}

template <typename Row>
void ExpectRows(const std::shared_ptr<const Table>& table, const std::vector<Row>& expected) {
  size_t rows = 0;
  ASSERT_OK(ForEachRow<Row>(table, {.include_removed = true}, [&](const Row& row) {
    ++rows;
    EXPECT_NE(std::find(expected.begin(), expected.end(), row), expected.end()) << row.key;
    return Status::OK();
  }));
  EXPECT_EQ(rows, expected.size());
  for (const Row& row : expected) EXPECT_EQ((*FindRow<Row>(*table, row.key)).value_or(Row()), row) << row.key;
}

TEST(Golden, WhatWasWrittenIsRead) {
  const auto store = *OpenStore(TestDataPath("golden"));
  const std::vector<Snapshot> history = *ReadHistory(store.get(), 0);
  ASSERT_EQ(history.size(), 2u);
  const Manifest& manifest = history[1].manifest;
  EXPECT_EQ(manifest.job, kJob);
  EXPECT_EQ(manifest.normal_form, "standard");
  EXPECT_EQ(manifest.open_segments.at(0).id, "s2");
  EXPECT_EQ(manifest.closed_segments.at(0).end, SegmentEnd::kApplied);
  EXPECT_EQ(manifest.settings.at("job.partitions"), "0");
  ExpectRows(*Table::Open<UrlRow>(store.get(), manifest), kUrls);
  ExpectRows(*Table::Open<HostRow>(store.get(), manifest), kHosts);
  ExpectRows(*Table::Open<RobotsRow>(store.get(), manifest), kRobots);
  const std::string path = PlanPath(kJob);
  const Plan plan = *PlanFromJson(*OpenSealedJson(*store->ReadWhole(path, 1 << 20), path));
  EXPECT_EQ(plan.job, kJob);
  EXPECT_EQ(plan.facts["fact"], 7);
  const Json report = *OpenSealedJson(*store->ReadWhole(ReportPath(kJob), 1 << 20), "report");
  EXPECT_EQ(report["counters"]["rows"], 9);
}

template <typename Row>
void ExpectDataset(Store* store, const StepRecord& step) {
  const std::vector<FileReceipt> files = step.FilesOf(Row::kTable);
  ASSERT_EQ(files.size(), 1u) << Row::kTable;
  std::vector<Row> rows;
  ASSERT_OK(ForEachDatasetRow<Row>(store, kSegment, Row::kTable, files[0], [&](const Row& row) {
    rows.push_back(row);
    return Status::OK();
  }));
  EXPECT_EQ(rows, SegmentRows<Row>()) << Row::kTable;
}

TEST(Golden, WhatASegmentHasIsRead) {
  const auto store = *OpenStore(TestDataPath("golden"));
  const std::optional<StepRecord> step = *ReadStep(store.get(), kSegment, kFetchStep);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->job, kStepJob);
  EXPECT_EQ(step->counters["asked"], 2);
  ExpectDataset<HeldRow>(store.get(), *step);
  ExpectDataset<FetchRow>(store.get(), *step);
  ExpectDataset<ContentRow>(store.get(), *step);
  ExpectDataset<ParseRow>(store.get(), *step);
  ExpectDataset<LinkRow>(store.get(), *step);
  const std::vector<AttemptEntry> entries = ChainEntries();
  for (size_t i = 0; i < entries.size(); ++i) {
    const std::string path = ChainEntryPath(i);
    const Json json = *OpenSealedJson(*store->ReadWhole(path, 1 << 20), path);
    EXPECT_EQ(*AttemptEntryFromJson(json), entries[i]);
  }
}

template <typename Row>
void TakeRows(std::string_view* bytes, const std::vector<Row>& expected) {
  for (const Row& row : expected) {
    uint32_t size = 0;
    ASSERT_GE(bytes->size(), sizeof size);
    std::memcpy(&size, bytes->data(), sizeof size);
    Row decoded;
    ASSERT_OK(DecodeRow(bytes->substr(sizeof size, size), &decoded));
    EXPECT_EQ(decoded, row);
    bytes->remove_prefix(sizeof size + size);
  }
}

TEST(Golden, RowsOfTheShuffleAreRead) {
  const std::string stored = ReadTestData("golden/rows.bin");
  std::string_view bytes = stored;
  TakeRows(&bytes, kUrls);
  TakeRows(&bytes, kHosts);
  TakeRows(&bytes, kRobots);
  TakeRows(&bytes, SegmentRows<FetchRow>());
  TakeRows(&bytes, SegmentRows<ParseRow>());
  TakeRows(&bytes, SegmentRows<LinkRow>());
  EXPECT_TRUE(bytes.empty());
}

}  // namespace
}  // namespace trawl
