// trawl config: which verb is meant, and settings that this program does not know.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/trawl_command.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Config : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(Trawl({"inject", "--root", root_, "--quiet", "https://a.example/"}).exit_code, 0);
    ASSERT_EQ(Trawl({"config", "set", "--root", root_, "--quiet", "job.partitions=3"}).exit_code, 0);
  }

  TemporaryFolder folder_;
  const std::string root_ = folder_.path() + "/crawl";
};

TEST_F(Config, WithoutAVerbItIsConfigGet) {
  EXPECT_EQ(AnswerOf(Trawl({"config", "--root", root_, "--json"}))["job.partitions"], "3");
  EXPECT_EQ(RunBinary({.arguments = {"config"}, .environment = {"TRAWL_ROOT=" + root_}}).out, "job.partitions = 3\n");
  EXPECT_THAT(Trawl({"config", "--help"}).out, StartsWith("Usage: trawl config VERB"));
  EXPECT_THAT(Trawl({"config", "gte", "--root", root_}).err, HasSubstr("did you mean config get?"));
}

}  // namespace
}  // namespace trawl
