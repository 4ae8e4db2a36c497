#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jobs/doctor/checks.h"
#include "tests/support/process/run_binary.h"
#include "tests/support/store/faulty_store.h"
#include "tests/support/store/temporary_folder.h"

namespace trawl {
namespace {

using testing::HasSubstr;

TEST(Doctor, ClocksMayDifferALittle) {
  const struct {
    TimeMs here_ms, planned_ms, latest_ms;
    bool is_well;
  } cases[] = {{100'000, 100'000, 101'000, true},
               {96'000, 100'000, 101'000, true},
               {90'000, 100'000, 101'000, false},
               {105'000, 100'000, 101'000, true},
               {107'000, 100'000, 101'000, false}};
  for (const auto& each : cases) {
    const DoctorFinding finding = CheckClock(each.here_ms, each.planned_ms, each.latest_ms);
    EXPECT_EQ(finding.is_well, each.is_well) << each.here_ms;
    EXPECT_EQ(finding.fix.empty(), each.is_well) << each.here_ms;
  }
}

TEST(Doctor, AStoreThatFailsIsIllAndSaysWhatToDo) {
  TemporaryFolder folder;
  const std::shared_ptr<Store> store = *OpenStore(folder.path(), {.sync = false});
  EXPECT_TRUE(CheckStoreCreates(store.get(), "jobs/j/_input-0").is_well);
  EXPECT_FALSE(*store->Exists("jobs/j/_input-0"));
  FaultyStore faulty(store, {.fault = Fault::kFail, .at = 1});
  const DoctorFinding finding = CheckStoreCreates(&faulty, "jobs/j/_input-0");
  EXPECT_FALSE(finding.is_well);
  EXPECT_FALSE(finding.fix.empty());
}

TEST(Doctor, MoreMemoryThanThereIsIsIll) {
  EXPECT_TRUE(CheckMemory(1 << 20).is_well);
  EXPECT_FALSE(CheckMemory(int64_t{1} << 60).is_well);
}

TEST(Doctor, FindingsTravel) {
  const DoctorFinding ill = {.check = "temp", .is_well = false, .found = "x", .fix = "y"};
  const auto back = DoctorFindingFromJson(ToJson(ill));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(ToJson(*back), ToJson(ill));
}

TEST(Doctor, ThisMachineIsWell) {
  TemporaryFolder folder;
  const BinaryResult result = RunBinary({.arguments = {"doctor", "--root", folder.path(), "--doctor.tasks", "1"}});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("well  m0-0  store"));
}

TEST(Doctor, AClusterThatNobodyNamedIsSaidInWords) {
  TemporaryFolder folder;
  const BinaryResult result =
      RunBinary({.arguments = {"doctor", "--root", folder.path(), "--runner", "streaming", "--streaming.shared_root"},
                 .environment = {"HADOOP_CONF_DIR=", "HADOOP_HOME="}});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("HADOOP_CONF_DIR"));
}

}  // namespace
}  // namespace trawl
