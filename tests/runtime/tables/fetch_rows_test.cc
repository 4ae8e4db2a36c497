// Whole rows of many keys, which lie in several runs and files.
#include "runtime/tables/fetch_rows.h"

#include <gtest/gtest.h>

#include <random>

#include "formats/rows/some_columns.h"
#include "runtime/process/status_detail.h"
#include "tests/support/crawl/url_rows.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

class FetchRowsTest : public ::testing::Test {
 protected:
  FetchRowsTest() : store_(OpenStore(folder_.path(), {.sync = false}).ValueOrDie()) {
    std::mt19937 random(11);
    std::vector<RunReference> runs;
    for (int run = 0; run < 4; ++run) {
      RowsByPlace rows;
      while (rows.size() < 2'000) {
        const std::string key = MakeKey(static_cast<int>(random() % 50), static_cast<int>(random() % 100));
        UrlRow row = MakeUrlRow(key, run * 1000 + static_cast<int>(random() % 1000));
        if (run == 3 && random() % 50 == 0) row.removed = true;
        rows[key] = row;
      }
      for (const auto& [key, row] : rows) newest_[key] = row;
      runs.push_back(WriteUrlRun(store_.get(), "run" + std::to_string(run), rows, {.file_rows = 700}).ValueOrDie());
    }
    table_ = Table::OpenRuns<UrlRow>(store_.get(), runs).ValueOrDie();
  }

  TemporaryFolder folder_;
  std::shared_ptr<Store> store_;
  std::shared_ptr<const Table> table_;
  RowsByPlace newest_;
};

TEST_F(FetchRowsTest, GivesTheNewestRowOfEachKey) {
  for (const size_t step : {1, 13, 900}) {
    std::vector<std::string> keys;
    std::vector<std::optional<UrlRow>> expected;
    size_t number = 0;
    for (const auto& [key, row] : newest_) {
      if (number++ % step != 0) continue;
      keys.push_back(key);
      expected.emplace_back(row);
      keys.push_back(key + "!");  // before any key that continues where this one ends
      expected.emplace_back();
    }
    ASSERT_OK_AND_ASSIGN(const auto rows, FetchRows<UrlRow>(table_, keys, {}, StopToken()));
    EXPECT_EQ(rows, expected) << step;
  }
}

TEST_F(FetchRowsTest, ReadsTheColumnsThatAreWanted) {
  const auto& [key, row] = *newest_.begin();
  ASSERT_OK_AND_ASSIGN(const auto rows,
                       FetchRows<UrlRow>(table_, {key}, Columns<UrlRow>({"score"}).Flags(), StopToken()));
  ASSERT_TRUE(rows.size() == 1 && rows[0]);
  EXPECT_EQ(rows[0]->key, key);
  EXPECT_EQ(rows[0]->score, row.score);
  ASSERT_NE(row.reason, "");
  EXPECT_EQ(rows[0]->reason, "");
}

TEST_F(FetchRowsTest, AStopEndsIt) {
  const auto stop = StopSource::Make().ValueOrDie();
  stop.Stop();
  const auto rows = FetchRows<UrlRow>(table_, {newest_.begin()->first}, {}, stop.token());
  EXPECT_EQ(KindOf(rows.status()), StatusKind::kStopped);
  EXPECT_TRUE(FetchRows<UrlRow>(table_, {}, {}, stop.token()).ValueOrDie().empty());
}

}  // namespace
}  // namespace trawl
