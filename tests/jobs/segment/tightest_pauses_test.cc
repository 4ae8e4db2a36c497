// Which delay a past request is said to have had.
#include "jobs/segment/tightest_pauses.h"

#include <gtest/gtest.h>

#include "formats/documents/sealed_json.h"
#include "formats/documents/step_record.h"
#include "runtime/root/layout.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

PastFetch FetchIn(const std::string& segment, const std::string& file) {
  PastFetch fetch;
  fetch.segment = segment;
  fetch.file.name = file;
  return fetch;
}

TEST(TightestPausesOf, AreOfTheJobThatWroteTheRow) {
  const TemporaryFolder folder;
  const auto store = OpenStore(folder.path(), {.sync = false}).ValueOrDie();
  StepRecord record = {.segment = "s1", .step = kFetchStep, .job = "fetch-2"};
  StepTask list;
  for (const char* name : {"fetch-1-m0-0-0.orc", "fetch-2-m0-0-0.orc"}) {
    FileReceipt file;
    file.name = name;
    list.files[FetchRow::kTable].push_back(file);
  }
  list.facts["politeness"] = {{"dots",
                               {{{"host", "a.test"}, {"gap_ms", 305}, {"delay_ms", 300}},
                                {{"host", "b.test"}, {"gap_ms", "soon"}, {"delay_ms", 300}}}}};
  record.tasks = {list};
  ASSERT_OK(store->CreateExclusive(DatasetRecordPath("s1", kFetchStep), SealJson(ToJson(record))));
  const std::vector<PastFetch> fetches = {FetchIn("s1", "fetch-2-m0-0-0.orc"), FetchIn("s1", "fetch-1-m0-0-0.orc"),
                                          FetchIn("gone", "fetch-0-m0-0-0.orc")};
  ASSERT_OK_AND_ASSIGN(const auto pauses, TightestPausesOf(store.get(), "a.test", fetches));
  ASSERT_EQ(pauses.size(), 3u);
  ASSERT_TRUE(pauses[0].has_value());
  EXPECT_EQ(pauses[0]->gap_ms, 305);
  EXPECT_EQ(pauses[0]->delay_ms, 300);
  EXPECT_FALSE(pauses[1].has_value()) << "the job before, which did not end, may have had another delay";
  EXPECT_FALSE(pauses[2].has_value());
  for (const char* host : {"b.test", "c.test"}) {
    ASSERT_OK_AND_ASSIGN(const auto none, TightestPausesOf(store.get(), host, fetches));
    EXPECT_FALSE(none[0].has_value()) << host;
  }
}

TEST(DelayBefore, IsThatOfTheFetchNotOfToday) {
  EXPECT_EQ(DelayBefore(103, TightestPause{101, 100}, std::nullopt), 100);
  EXPECT_EQ(DelayBefore(std::nullopt, TightestPause{101, 100}, std::nullopt), 100);
  EXPECT_EQ(DelayBefore(305, TightestPause{101, 100}, 300), 300) << "the last answer's is exact";
  EXPECT_EQ(DelayBefore(305, std::nullopt, 300), 300);
  EXPECT_EQ(DelayBefore(305, std::nullopt, std::nullopt), std::nullopt);
}

TEST(DelayBefore, AccusesNobodyOfWhatTheFetchDidNotMeasure) {
  EXPECT_EQ(DelayBefore(103, TightestPause{305, 300}, std::nullopt), std::nullopt) << "before a throttle, say";
  EXPECT_EQ(DelayBefore(103, std::nullopt, 300), std::nullopt);
  EXPECT_EQ(DelayBefore(92, TightestPause{90, 100}, std::nullopt), 100) << "it measured this one";
  EXPECT_EQ(DelayBefore(102, TightestPause{250, 300}, std::nullopt), std::nullopt) << "it would be the tightest";
  EXPECT_EQ(DelayBefore(280, TightestPause{250, 300}, std::nullopt), std::nullopt);
}

}  // namespace
}  // namespace trawl
