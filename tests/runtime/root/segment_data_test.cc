#include "runtime/root/segment_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/documents/sealed_json.h"
#include "formats/rows/fetch_row.h"
#include "runtime/root/layout.h"
#include "runtime/tables/run_writer.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

class SegmentData : public ::testing::Test {
 protected:
  // Stores the record as that of s1's fetch, and reads it.
  arrow::Result<std::optional<StepRecord>> Read(const StepRecord& record) {
    const std::string path = DatasetRecordPath("s1", kFetchStep);
    ARROW_RETURN_NOT_OK(store_->Remove(path));
    ARROW_RETURN_NOT_OK(store_->CreateExclusive(path, SealJson(ToJson(record))).status());
    return ReadStep(store_.get(), "s1", kFetchStep);
  }

  TemporaryFolder folder_;
  const std::unique_ptr<Store> store_ = *OpenStore(folder_.path());
  const StepRecord record_ = {
      .segment = "s1", .step = kFetchStep, .job = "j", .schemas = {{FetchRow::kTable, FetchRow::kVersion}}};
};

TEST_F(SegmentData, AStepThatIsNotDoneHasNoRecord) {
  EXPECT_EQ(*ReadStep(store_.get(), "s1", kFetchStep), std::nullopt);
  ASSERT_OK(Read(record_).status());
}

// Otherwise a record without files would be taken for a step that found nothing.
TEST_F(SegmentData, TheRecordOfAnotherStepOrSegmentIsAnError) {
  StepRecord other = record_;
  other.segment = "s2";
  EXPECT_THAT(Read(other).status().message(),
              HasSubstr("segments/s1/fetch/_done.json: is the record of fetch of segment s2, not of fetch of s1"));
  other = record_;
  other.step = kParseStep;
  EXPECT_THAT(Read(other).status().message(), HasSubstr("is the record of parse of segment s1, not of fetch of s1"));
}

TEST_F(SegmentData, RowsOfANewerVersionAreAnError) {
  StepRecord newer = record_;
  newer.schemas[FetchRow::kTable] = FetchRow::kVersion + 1;
  EXPECT_THAT(Read(newer).status().message(),
              HasSubstr("segments/s1/fetch/_done.json: dataset fetch was written by a newer version (format " +
                        std::to_string(FetchRow::kVersion + 1)));
  newer = record_;
  newer.schemas["something_new"] = 9;
  EXPECT_OK(Read(newer).status());
}

template <typename Row>
concept HasColumnOutcom = requires { std::integral_constant<size_t, ColumnIndex<Row>("outcom")>(); };
template <typename Row>
concept HasColumnOutcome = requires { std::integral_constant<size_t, ColumnIndex<Row>("outcome")>(); };
// A misspelt name used to index with -1.
static_assert(HasColumnOutcome<FetchRow> && !HasColumnOutcom<FetchRow>, "a column that rows have not does not compile");

TEST_F(SegmentData, OnlyTheWantedColumnsAndRowsAreRead) {
  RunWriter<FetchRow> writer(store_.get(), DatasetFolder("s1", FetchRow::kTable), "m0-0", {.sorted = false});
  for (const int32_t status : {200, 404, 500}) {
    ASSERT_OK(writer.Append(FetchRow{.key = "com,example)/", .reason = "said so", .status = status}));
  }
  ASSERT_OK_AND_ASSIGN(const std::vector<FileReceipt> files, writer.Finish());
  const auto read = [&](const DatasetScan<FetchRow>& scan) {
    std::string seen;
    const auto see = [&seen](const FetchRow& row) {
      seen += (seen.empty() ? "" : ", ") + std::to_string(row.status) + " " + row.reason;
      return arrow::Status::OK();
    };
    EXPECT_OK(ForEachDatasetRow<FetchRow>(store_.get(), "s1", FetchRow::kTable, files.at(0), see, scan));
    return seen;
  };
  EXPECT_EQ(read({}), "200 said so, 404 said so, 500 said so");
  EXPECT_EQ(read({.columns = {"key", "status"}, .rows = {1, 2}}), "404 ");
  EXPECT_EQ(read({.columns = Columns<FetchRow>::AllBut({"status"}), .rows = {.begin = 2}}), "0 said so");
  EXPECT_EQ(read({.rows = {.end = 2}, .batch_rows = 1}), "200 said so, 404 said so");
}

}  // namespace
}  // namespace trawl
