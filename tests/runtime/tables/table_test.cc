// Writes, merges and looks up runs, and compares with a model in memory.
#include "runtime/tables/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "formats/rows/host_row.h"
#include "formats/rows/some_columns.h"
#include "formats/url/key.h"
#include "runtime/root/layout.h"
#include "runtime/root/snapshot.h"
#include "runtime/tables/key_lookup.h"
#include "runtime/tables/merge_scan.h"
#include "runtime/tables/run_writer.h"
#include "tests/support/crawl/url_rows.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

// Several runs over the same hosts, with newer versions and tombstones, and the rows that result.
class TableTest : public ::testing::Test {
 protected:
  void SetUp() override {
    store_ = *OpenStore(folder_.path(), {.sync = false});
    std::mt19937 random(7);
    for (int run = 0; run < 5; ++run) {
      RowsByPlace rows;
      for (int i = 0, n = run == 0 ? 30000 : run == 3 ? 0 : 700; i < n; ++i) {
        UrlRow row = MakeUrlRow(MakeKey(static_cast<int>(random() % 300), static_cast<int>(random() % 200)), run);
        row.removed = run > 0 && random() % 4 == 0;
        rows[row.key] = row;
      }
      for (const auto& [key, row] : rows) newest_[key] = row;
      runs_.push_back(*WriteUrlRun(store_.get(), "run" + std::to_string(run), rows,
                                   {.file_bytes = 1 << 30, .file_rows = 9000, .batch_rows = 1000}));
    }
    table_ = *Table::OpenRuns<UrlRow>(store_.get(), runs_);
  }

  std::vector<UrlRow> Scan(const ScanOptions& options) {
    std::vector<UrlRow> rows;
    const arrow::Status status = ForEachRow<UrlRow>(table_, options, [&rows](const UrlRow& row) {
      rows.push_back(row);
      return arrow::Status::OK();
    });
    EXPECT_TRUE(status.ok()) << status;
    return rows;
  }

  std::vector<UrlRow> Model(const ScanOptions& options) {
    std::vector<UrlRow> rows;
    for (const auto& [key, row] : newest_) {
      if (!options.slots.Contains(SlotOfKey(key)) || (row.removed && !options.include_removed)) continue;
      if (key < options.from_key || (!options.to_key.empty() && key >= options.to_key)) continue;
      rows.push_back(row);
    }
    return rows;
  }

  TemporaryFolder folder_;
  std::unique_ptr<Store> store_;
  std::vector<RunReference> runs_;
  RowsByPlace newest_;
  std::shared_ptr<const Table> table_;
};

TEST_F(TableTest, NewestRowWinsAndTombstonesAreHidden) {
  EXPECT_EQ(Scan({}), Model({}));
  EXPECT_EQ(Scan({.include_removed = true}), Model({.include_removed = true}));
  EXPECT_EQ(Scan({.batch_rows = 17}), Model({}));
  EXPECT_GT(Model({.include_removed = true}).size(), Model({}).size());
}

TEST_F(TableTest, AnyCutOfTheSlotsGivesTheSameRows) {
  for (const int partitions : {1, 2, 3, 8, 61}) {
    std::vector<UrlRow> all;
    for (int p = 0; p < partitions; ++p) {
      const ScanOptions options = {.slots = RangeOfPartition(p, partitions)};
      const std::vector<UrlRow> rows = Scan(options);
      EXPECT_EQ(rows, Model(options));
      all.insert(all.end(), rows.begin(), rows.end());
    }
    EXPECT_EQ(all, Model({}));
  }
}

TEST_F(TableTest, AHostIsARange) {
  for (int host = 0; host < 300; host += 7) {
    const std::string key = MakeKey(host, 1);
    const KeyRange range = *KeyRangeOfHost(HostOfKey(key));
    const uint32_t slot = SlotOfKey(key);
    const ScanOptions options = {.slots = {slot, slot + 1}, .from_key = range.from, .to_key = range.to};
    const std::vector<UrlRow> rows = Scan(options);
    EXPECT_EQ(rows, Model(options));
    for (const UrlRow& row : rows) EXPECT_EQ(HostPartOfKey(row.key), HostPartOfKey(key));
  }
}

TEST_F(TableTest, OnlyWantedColumnsAreRead) {
  std::vector<UrlRow> expected;
  for (const UrlRow& row : Model({})) {
    UrlRow part;
    part.key = row.key;
    part.score = row.score;
    part.kind = UrlKind{};
    part.state = UrlState{};
    expected.push_back(part);
  }
  EXPECT_EQ(Scan({.wanted = Columns<UrlRow>({"score"}).Flags()}), expected);
}

TEST_F(TableTest, EveryKeyIsFound) {
  KeyEntries entries(table_);
  int n = 0;
  for (const auto& [key, row] : newest_) {
    if (++n % 97 != 0) continue;
    const auto found = FindRow<UrlRow>(*table_, key);
    ASSERT_TRUE(found.ok()) << found.status();
    ASSERT_TRUE(found->has_value()) << key;
    EXPECT_EQ(**found, row);
    EXPECT_EQ(entries.Find(key).ValueOrDie(), SidecarOf(row)) << key;
  }
  for (const char* absent : {"com,host1)/nothing", "a)/", "zz,zz)/", "org,host2)/page/1000000"}) {
    EXPECT_FALSE((*FindRow<UrlRow>(*table_, absent)).has_value()) << absent;
    EXPECT_FALSE(entries.Find(absent)->has_value()) << absent;
  }
}

TEST_F(TableTest, KnownKeysSettleInOrder) {
  std::set<std::string, RowPlaceLess> asked;
  for (int host = 0; host < 330; ++host) {
    for (int page = 0; page < 220; page += 1 + host % 9) asked.insert(MakeKey(host, page));
  }
  KnownKeys known(table_);
  int found = 0;
  for (const std::string& key : asked) {
    const auto entry = known.Find({SlotOfKey(key), key});
    ASSERT_TRUE(entry.ok()) << entry.status();
    const auto model = newest_.find(key);
    ASSERT_EQ(entry->has_value(), model != newest_.end()) << key;
    if (!entry->has_value()) continue;
    EXPECT_EQ(**entry, SidecarOf(model->second));
    ++found;
  }
  EXPECT_GT(found, 5000);
  EXPECT_LT(found, static_cast<int>(asked.size()));
}

TEST_F(TableTest, RowsOutOfOrderOrOutOfTheirSlotsAreRefused) {
  RunWriter<UrlRow> writer(store_.get(), "crawldb/urls/bad", "r0-0", {});
  const auto first = newest_.begin();
  ASSERT_OK(writer.Append(std::next(first)->second));
  EXPECT_TRUE(writer.Append(std::next(first)->second).IsInvalid());
  EXPECT_TRUE(writer.Append(first->second).IsInvalid());
  const uint32_t slot = SlotOfKey(first->first);
  RunWriter<UrlRow> elsewhere(store_.get(), "crawldb/urls/bad", "r1-0", {.slots = {slot + 1, kSlots}});
  EXPECT_TRUE(elsewhere.Append(first->second).IsInvalid());
}

TEST_F(TableTest, LogicalDigestDoesNotDependOnTheCut) {
  const RowsByPlace& rows = newest_;
  const RunReference one = *WriteUrlRun(store_.get(), "one", rows, {});
  const RunReference many = *WriteUrlRun(store_.get(), "many", rows, {.file_rows = 1000, .batch_rows = 100});
  EXPECT_EQ(one.digest, many.digest);
  EXPECT_EQ(one.rows, many.rows);
}

TEST_F(TableTest, NewerSchemaAndForeignRecordsAreRefused) {
  RunRecord record = {.table = "urls", .schema = UrlRow::kVersion + 1, .job = "x"};
  const auto newer = WriteRunRecord(store_.get(), "newer", record);
  ASSERT_TRUE(newer.ok());
  const auto status = Table::OpenRuns<UrlRow>(store_.get(), {*newer}).status();
  EXPECT_NE(status.message().find("use a newer trawl"), std::string::npos) << status;

  RunReference wrong = runs_[1];
  wrong.seal = runs_[0].seal;
  EXPECT_TRUE(Table::OpenRuns<UrlRow>(store_.get(), {wrong}).status().IsIOError());
  RunReference missing = runs_[1];
  missing.run = "nowhere";
  const auto gone = Table::OpenRuns<UrlRow>(store_.get(), {missing}).status();
  EXPECT_NE(gone.message().find("crawldb/urls/nowhere/_run.json: is missing"), std::string::npos) << gone;
}

template <typename Row>
RunRecord RecordOf(Store* store, const std::string& run, const std::vector<Row>& rows) {
  RunWriter<Row> writer(store, RunFolder(Row::kTable, run), "r0-0", {});
  for (const Row& row : rows) EXPECT_OK(writer.Append(row));
  return {.table = Row::kTable, .schema = Row::kVersion, .job = run, .files = *writer.Finish()};
}

// A job of a small crawl writes one file for each table, and one with their records and sidecars.
TEST_F(TableTest, SmallRunsOfAJobShareAFile) {
  const auto count = [this](const std::string& folder) {
    const auto entries = *store_->List("crawldb", /*recursive=*/true);
    return std::count_if(entries.begin(), entries.end(), [&folder](const StoreEntry& entry) {
      return !entry.is_folder && entry.path.starts_with(folder);
    });
  };
  const std::vector<UrlRow> few = {newest_.begin()->second};
  HostRow host;
  host.key = "com,host0";
  std::vector<UrlRow> many = Model({.include_removed = true});
  ASSERT_OK_AND_ASSIGN(const auto small, WriteRunRecords(store_.get(), "small",
                                                         {RecordOf<HostRow>(store_.get(), "small", {host}),
                                                          RecordOf(store_.get(), "small", few)}));
  EXPECT_EQ(count("crawldb/hosts/small/") + count("crawldb/urls/small/") + count("crawldb/_runs/small/"), 3);
  ASSERT_OK_AND_ASSIGN(const auto mixed, WriteRunRecords(store_.get(), "mixed",
                                                         {RecordOf<HostRow>(store_.get(), "mixed", {host}),
                                                          RecordOf(store_.get(), "mixed", many)}));
  EXPECT_GT(mixed[1].bytes, 256 << 10);
  EXPECT_EQ(count("crawldb/urls/mixed/"), 3) << "data, sidecar and record";

  for (const auto& runs : {small, mixed}) {
    const auto hosts = *Table::OpenRuns<HostRow>(store_.get(), {runs[0]});
    EXPECT_EQ((*FindRow<HostRow>(*hosts, host.key)).value_or(HostRow()), host);
    EXPECT_FALSE(FindRow<HostRow>(*hosts, "com,host1")->has_value());
  }
  const auto urls = *Table::OpenRuns<UrlRow>(store_.get(), {mixed[1], small[1]});
  EXPECT_EQ(urls->stored_rows(), static_cast<int64_t>(many.size()) + 1);
  EXPECT_EQ((*FindRow<UrlRow>(*urls, few[0].key)).value_or(UrlRow()), few[0]);
  EXPECT_EQ((*FindRow<UrlRow>(*urls, many.back().key)).value_or(UrlRow()), many.back());
  // A fact of a plan names a run without its size.
  RunReference unsized = mixed[1];
  unsized.bytes = 0;
  EXPECT_OK(Table::OpenRuns<UrlRow>(store_.get(), {unsized}));
  RunReference wrong = small[0];
  wrong.seal = mixed[0].seal;
  EXPECT_TRUE(Table::OpenRuns<HostRow>(store_.get(), {wrong}).status().IsIOError());
}

// A task that writes one table after another ends each run itself; the receipt of the task asks again.
TEST(RunWriter, EndsOnceAndSaysTheSameAgain) {
  const TemporaryFolder folder;
  const auto store = OpenStore(folder.path(), {.sync = false}).ValueOrDie();
  RunWriter<UrlRow> writer(store.get(), "run", "r0-0", {.sorted = false});
  UrlRow row;
  row.key = "com,a)/";
  ASSERT_OK(writer.Append(row));
  ASSERT_OK_AND_ASSIGN(const std::vector<FileReceipt> first, writer.Finish());
  ASSERT_OK_AND_ASSIGN(const std::vector<FileReceipt> again, writer.Finish());
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first, again);
  EXPECT_EQ(first.front().rows, 1);
}

}  // namespace
}  // namespace trawl
