#include "runtime/job/receipt_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trawl {
namespace {

using ::testing::HasSubstr;

FileReceipt File(const std::string& name, uint32_t first_slot, const std::string& first, uint32_t last_slot,
                 const std::string& last) {
  FileReceipt file = {.name = name, .rows = 10};
  file.first_slot = first_slot;
  file.last_slot = last_slot;
  file.first_key = first;
  file.last_key = last;
  file.seal = {.size_bytes = 100, .chunk_digests = {1}};
  return file;
}

// A job of three reduce tasks whose files fit together.
class ReceiptCheck : public ::testing::Test {
 protected:
  void SetUp() override {
    plan_.parts = {Json::object()};
    plan_.partitions = 3;
    receipts_.push_back({.id = {.is_reduce = false, .number = 0}});
    for (int number = 0; number < 3; ++number) {
      const SlotRange slots = RangeOfPartition(number, 3);
      TaskReceipt task = {.id = {.is_reduce = true, .number = number}, .slots = slots};
      task.files["urls"] = {File("a", slots.begin, "a", slots.begin + 5, "b"),
                            File("b", slots.begin + 5, "c", slots.end - 1, "d")};
      receipts_.push_back(task);
    }
  }

  std::string Wrong() {
    const auto files = FilesOfReceipts(plan_, receipts_);
    return files.ok() ? "" : files.status().message();
  }
  FileReceipt& FileOf(size_t task, size_t file) { return receipts_[task + 1].files["urls"][file]; }

  Plan plan_;
  std::vector<TaskReceipt> receipts_;
};

TEST_F(ReceiptCheck, FilesComeInTheOrderOfTheirRows) {
  std::swap(receipts_[1], receipts_[3]);
  const auto files = *FilesOfReceipts(plan_, receipts_);
  ASSERT_EQ(files.at("urls").size(), 6u);
  for (size_t i = 1; i < 6; ++i) EXPECT_LE(files.at("urls")[i - 1].last_slot, files.at("urls")[i].first_slot);
}

TEST_F(ReceiptCheck, ATaskWithoutRowsIsFine) {
  receipts_[2].files.clear();
  EXPECT_EQ(FilesOfReceipts(plan_, receipts_)->at("urls").size(), 4u);
}

TEST_F(ReceiptCheck, EveryTaskReportsOnce) {
  const TaskReceipt last = receipts_.back();
  receipts_.pop_back();
  EXPECT_THAT(Wrong(), HasSubstr("did not report"));
  receipts_.push_back(last);
  receipts_.push_back(last);
  EXPECT_THAT(Wrong(), HasSubstr("reports twice"));
  receipts_.back().id.number = 7;
  EXPECT_THAT(Wrong(), HasSubstr("does not belong to the job"));
}

TEST_F(ReceiptCheck, MapTasksOfAJobWithReducersWriteNothing) {
  receipts_[0].files["urls"] = {File("m", 0, "a", 0, "b")};
  EXPECT_THAT(Wrong(), HasSubstr("must not write"));
}

TEST_F(ReceiptCheck, TheSlotsAreAllCoveredByOneTaskEach) {
  receipts_[2].slots.begin -= 1;
  EXPECT_THAT(Wrong(), HasSubstr("slots"));
  receipts_[2].slots.begin += 2;
  EXPECT_THAT(Wrong(), HasSubstr("slots"));
  receipts_[2].slots.begin -= 1;
  EXPECT_EQ(Wrong(), "");
  receipts_[3].slots.end -= 1;
  FileOf(2, 1).last_slot -= 1;
  EXPECT_THAT(Wrong(), HasSubstr("slots"));
}

TEST_F(ReceiptCheck, FilesThatOverlapOrLeaveTheirSlotsAreRefused) {
  FileOf(1, 1).first_key = "b";
  EXPECT_EQ(Wrong(), "task r1-0: b overlaps a");
  FileOf(1, 1).first_key = "c";
  EXPECT_EQ(Wrong(), "");
  FileOf(1, 1).last_slot = receipts_[2].slots.end;
  EXPECT_THAT(Wrong(), HasSubstr("makes no sense"));
}

TEST_F(ReceiptCheck, CountsMustMakeSense) {
  FileOf(0, 0).rows = 0;
  EXPECT_THAT(Wrong(), HasSubstr("makes no sense"));
  FileOf(0, 0).rows = 10;
  FileOf(0, 0).removed = 11;
  EXPECT_THAT(Wrong(), HasSubstr("makes no sense"));
  FileOf(0, 0).removed = 0;
  FileOf(0, 0).seal.size_bytes = 0;
  EXPECT_THAT(Wrong(), HasSubstr("makes no sense"));
}

}  // namespace
}  // namespace trawl
