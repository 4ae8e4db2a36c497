// Compares walks over tables of several runs with the plain scan of the same tables.
#include "runtime/tables/row_walk.h"

#include <gtest/gtest.h>

#include <random>

#include "formats/url/key.h"
#include "tests/support/crawl/url_rows.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

// Three runs: newer versions and tombstones on top of a base; small batches and files, so that walks jump over both.
class RowWalkTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::vector<RunReference> runs;
    for (int run = 0; run < 3; ++run) {
      RowsByPlace rows;
      for (int host = run; host < 60; host += run + 1) {
        for (int page = run; page < 700; page += run * 6 + 1) {
          UrlRow row = MakeUrlRow(MakeKey(host, page), run);
          if (run == 2 && page % 5 == 0) {
            row.removed = true;
            newest_.erase(row.key);
          } else {
            newest_[row.key] = row;
          }
          rows[row.key] = row;
        }
      }
      ASSERT_OK_AND_ASSIGN(const RunReference reference, WriteUrlRun(store_.get(), "run-" + std::to_string(run), rows,
                                                                     {.file_rows = 20'000, .batch_rows = 1000}));
      runs.push_back(reference);
    }
    ASSERT_OK_AND_ASSIGN(table_, Table::OpenRuns<UrlRow>(store_.get(), runs));
  }

  TemporaryFolder folder_;
  std::unique_ptr<Store> store_ = *OpenStore(folder_.path(), {.sync = false});
  std::shared_ptr<const Table> table_;
  RowsByPlace newest_;
};

TEST_F(RowWalkTest, SeeksToTheFirstRowNotBefore) {
  std::vector<std::string> keys;
  for (const auto& [key, row] : newest_) keys.push_back(key);
  std::mt19937 random(5);
  for (const size_t stride : {size_t{1}, size_t{7}, size_t{300}, size_t{5'000}, size_t{17'000}}) {
    ASSERT_OK_AND_ASSIGN(RowWalk walk, RowWalk::Open(table_, {.batch_rows = 512}));
    UrlRow row;
    for (size_t i = random() % stride; i < keys.size(); i += 1 + random() % (2 * stride)) {
      // The key itself, or a place just after the previous key.
      const std::string place =
          i > 0 && random() % 2 == 0 && SlotOfKey(keys[i - 1]) == SlotOfKey(keys[i]) ? keys[i - 1] + '\x01' : keys[i];
      ASSERT_OK(walk.SeekTo({SlotOfKey(place), place}));
      ASSERT_FALSE(walk.at_end());
      ASSERT_EQ(walk.key(), keys[i]) << stride;
      walk.Read(&row);
      ASSERT_EQ(row, newest_[keys[i]]);
      if (random() % 3 == 0 && i + 1 < keys.size()) {
        ASSERT_OK(walk.Next());
        ASSERT_EQ(walk.key(), keys[++i]);
      }
    }
    ASSERT_OK(walk.SeekTo({kSlots, ""}));
    EXPECT_TRUE(walk.at_end());
    ASSERT_OK(walk.SeekTo({kSlots, ""}));
  }
}

TEST_F(RowWalkTest, RowsBeforeAPlaceAreThoseOfAHost) {
  ASSERT_OK_AND_ASSIGN(RowWalk walk, RowWalk::Open(table_, {}));
  std::string host;
  size_t seen = 0;
  while (!walk.at_end()) {
    host.assign(HostPartOfKey(walk.key()));
    const std::string end = host + "*";
    const uint32_t slot = SlotOfKey(walk.key());
    for (RowSpan rows = walk.RowsBefore({slot, end}); rows.begin < rows.end; rows = walk.RowsBefore({slot, end})) {
      UrlRow row;
      for (int64_t i = rows.begin; i < rows.end; ++i, ++seen) {
        ReadFromBatch(*rows.batch, i, &row);
        ASSERT_EQ(HostPartOfKey(row.key), host);
        ASSERT_EQ(row, newest_[row.key]);
      }
      ASSERT_OK(walk.Pass(rows));
    }
  }
  EXPECT_EQ(seen, newest_.size());
}

}  // namespace
}  // namespace trawl
