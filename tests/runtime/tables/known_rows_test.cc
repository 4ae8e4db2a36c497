// Reads rows at the places that sidecars give: few and many, over several runs and files.
#include "runtime/tables/known_rows.h"

#include <gtest/gtest.h>

#include <random>

#include "formats/rows/some_columns.h"
#include "formats/url/key.h"
#include "tests/support/crawl/url_rows.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

class KnownRowsTest : public ::testing::Test {
 protected:
  KnownRowsTest() : store_(OpenStore(folder_.path(), {.sync = false}).ValueOrDie()) {}

  // Three runs of 10,000 keys each, in files of 2,500 rows; a later run has newer versions and a few tombstones.
  std::shared_ptr<const Table> MakeTable() {
    std::mt19937 random(7);
    std::vector<RunReference> runs;
    for (int run = 0; run < 3; ++run) {
      RowsByPlace rows;
      while (rows.size() < 10'000) {
        const std::string key = MakeKey(static_cast<int>(random() % 100), static_cast<int>(random() % 300));
        UrlRow row = MakeUrlRow(key, run * 1000 + static_cast<int>(random() % 1000));
        if (run == 2 && random() % 50 == 0) row.removed = true;
        rows[key] = row;
      }
      for (const auto& [key, row] : rows) newest_[key] = row;
      runs.push_back(WriteUrlRun(store_.get(), "run" + std::to_string(run), rows, {.file_rows = 2'500}).ValueOrDie());
    }
    return Table::OpenRuns<UrlRow>(store_.get(), runs).ValueOrDie();
  }

  TemporaryFolder folder_;
  std::shared_ptr<Store> store_;
  RowsByPlace newest_;
};

TEST_F(KnownRowsTest, FindsTheNewestRowOfFewAndOfMany) {
  const auto table = MakeTable();
  for (const size_t step : {1, 7, 300, 5'000}) {
    KnownRows<UrlRow> rows(table);
    UrlRow found;
    size_t number = 0;
    for (const auto& [key, row] : newest_) {
      if (number++ % step != 0) continue;
      ASSERT_OK_AND_ASSIGN(const bool is_there, rows.Find({SlotOfKey(key), key}, &found));
      ASSERT_EQ(is_there, !row.removed) << key;
      if (is_there) {
        ASSERT_EQ(found, row) << key;
      }
      const std::string absent = key + "!";  // before any key that continues where this one ends
      ASSERT_OK_AND_ASSIGN(const bool is_none, rows.Find({SlotOfKey(absent), absent}, &found));
      ASSERT_FALSE(is_none);
    }
    EXPECT_GT(number, 15'000U);
  }
}

TEST_F(KnownRowsTest, LocatesTheRunThatHasTheNewestVersion) {
  const auto table = MakeTable();
  KnownRows<UrlRow> rows(table);
  for (const auto& [key, row] : newest_) {
    ASSERT_OK_AND_ASSIGN(const std::optional<KnownKey> known, rows.Locate({SlotOfKey(key), key}));
    ASSERT_TRUE(known);
    ASSERT_EQ(known->run, static_cast<size_t>(row.score / 1000));
    ASSERT_EQ(known->entry.state == 0, row.removed);
  }
}

TEST_F(KnownRowsTest, ColumnsThatAreNotWantedAreZero) {
  const auto table = MakeTable();
  KnownRowBatches batches(table, Columns<UrlRow>({"score"}).Flags());
  KnownKeys keys(table);
  UrlRow found;
  for (const auto& [key, row] : newest_) {
    ASSERT_OK_AND_ASSIGN(const std::optional<KnownKey> known, keys.Locate({SlotOfKey(key), key}));
    ASSERT_OK_AND_ASSIGN(const ColumnBatch* batch, batches.Load(*known));
    ReadFromBatch(*batch, known->row - batch->first_row, &found);
    ASSERT_EQ(found.score, row.score);
    ASSERT_EQ(found.key, "");
    ASSERT_EQ(found.reason, "");
  }
}

}  // namespace
}  // namespace trawl
