// trawl config: which verb is meant, and settings that this program does not know.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "runtime/root/snapshot.h"
#include "runtime/store/store.h"
#include "tests/support/process/trawl_command.h"

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

TEST_F(Config, ASettingOfANewerVersionStopsEveryVerbAndCanBeTakenAway) {
  {
    const auto store = *OpenStore(root_);
    const Snapshot present = *ReadPresent(store.get());
    Manifest next = NextManifest(present, "newer", "config", 1);
    next.settings["fetch.by_telepathy"] = "true";
    next.settings["other.new"] = "1";
    ASSERT_EQ(*PublishSnapshot(store.get(), next), PublishOutcome::kPublished);
  }
  const std::vector<std::vector<std::string>> verbs = {
      {"readdb", "stats"}, {"inject", "https://b.example/"}, {"config", "get"}, {"config", "set", "job.partitions=4"}};
  for (std::vector<std::string> verb : verbs) {
    verb.insert(verb.end(), {"--root", root_});
    const BinaryResult result = Trawl(verb);
    EXPECT_EQ(result.exit_code, 3) << verb[0];
    EXPECT_THAT(result.err, HasSubstr("this trawl does not know fetch.by_telepathy; use a newer trawl"));
  }
  EXPECT_EQ(Trawl({"config", "set", "no.such=", "--root", root_}).exit_code, 2);
  ASSERT_EQ(Trawl({"config", "set", "fetch.by_telepathy=", "--root", root_}).exit_code, 0);
  ASSERT_EQ(Trawl({"config", "set", "other.new=", "--root", root_}).exit_code, 0);
  EXPECT_EQ(AnswerOf(Trawl({"config", "get", "--root", root_, "--json"})), Json({{"job.partitions", "3"}}));
}

TEST_F(Config, AnUnknownNameSaysWhereTheNamesAre) {
  EXPECT_THAT(Trawl({"config", "set", "foo=bar", "--root", root_}).err,
              HasSubstr("foo is not an option; trawl docs lists all options"));
  EXPECT_THAT(Trawl({"config", "set", "file_size=64MiB", "--root", root_}).err,
              HasSubstr("file_size is not an option; did you mean job.file_size?"));
  EXPECT_THAT(Trawl({"config", "set", "delay_m=1s", "--root", root_}).err,
              HasSubstr("delay_m is not an option; did you mean fetch.delay_ms or host.delay_ms?"));
}

// A setting that each later command would fail by is none.
TEST_F(Config, AFileOfRulesThatIsMissingOrMakesNoSenseIsRefused) {
  const std::string file = folder_.path() + "/rules";
  const auto set = [&](const std::string& setting) { return Trawl({"config", "set", setting, "--root", root_}); };
  for (const char* name : {"urls.scope_rules", "refresh.rules", "urls.deny_hosts"}) {
    const std::string setting = std::string(name) + "=" + file;
    std::filesystem::remove(file);
    const BinaryResult missing = set(setting);
    EXPECT_EQ(missing.exit_code, 2) << name;
    EXPECT_THAT(missing.err, HasSubstr(file)) << name;
    std::ofstream(file) << "+(\n";
    const BinaryResult bad = set(setting);
    EXPECT_EQ(bad.exit_code, 2) << name;
    EXPECT_THAT(bad.err, HasSubstr(file + ":1")) << name;
  }
  EXPECT_EQ(AnswerOf(Trawl({"config", "--root", root_, "--json"})), Json({{"job.partitions", "3"}}));
  std::ofstream(file) << "-/private/\n+.\n";
  EXPECT_EQ(set("urls.scope_rules=" + file).exit_code, 0);
  std::filesystem::remove(file);
  EXPECT_EQ(set("urls.scope_rules=").exit_code, 0) << "taking it away mends it";
  EXPECT_EQ(Trawl({"updatedb", "--root", root_, "--refresh.rules", file}).exit_code, 2) << "before there is a segment";
}

}  // namespace
}  // namespace trawl
