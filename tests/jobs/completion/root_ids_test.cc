// The ids of a root on this machine: whose root, which names, and that nothing is read or written.
#include "jobs/completion/root_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "jobs/verb/verb.h"
#include "tests/support/store/temporary_folder.h"

namespace trawl {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Words = std::vector<std::string>;

class RootIds : public ::testing::Test {
 protected:
  std::string Root(const std::string& name = "crawl") { return folder_.path() + "/" + name; }
  void Make(const std::string& path, const std::string& root = "crawl") {
    fs::create_directories(Root(root) + "/" + path);
  }
  static Words Ids(ValueKind kind, const TypedCrawl& crawl, const Words& environment = {}) {
    return IdsOfRoot(kind, crawl, environment, AllGroups(Verbs()));
  }
  Words Of(ValueKind kind) { return Ids(kind, {.root = Root(), .config = {}}); }

  TemporaryFolder folder_;
};

TEST_F(RootIds, TheNewestComeFirst) {
  Make("segments/20260101T000000Z-a");
  Make("segments/20260102T000000Z-b");
  Make("jobs/20260101T000000Z-fetch-a");
  for (const char* name : {"00000003.json", "00000012.json", "00000000.json", "123456789.json"})
    Make(std::string("snapshots/") + name);
  EXPECT_THAT(Of(ValueKind::kSegment), ElementsAre("20260102T000000Z-b", "20260101T000000Z-a"));
  EXPECT_THAT(Of(ValueKind::kJob), ElementsAre("20260101T000000Z-fetch-a"));
  EXPECT_THAT(Of(ValueKind::kSnapshot), ElementsAre("123456789", "12", "3", "0"));
}

TEST_F(RootIds, HostileNamesAreNoIds) {
  for (const char* name : {"$(touch x)", "`x`", "a b", "-rf", "*", "x;y", "'", "\"", "x\ny", "\x1b[2J", "_x", ".x",
                           "a'b", "bodies-3-abc", "x\tdo"}) {
    Make(std::string("segments/") + name);
    Make(std::string("jobs/") + name);
    Make(std::string("snapshots/") + name);
  }
  for (const char* name :
       {"3.json", "00000003", "00000003.json.tmp", "-0000003.json", "99999999999999999999.json", ".json"})
    Make(std::string("snapshots/") + name);
  Make("segments/good");
  EXPECT_THAT(Of(ValueKind::kSegment), ElementsAre("good"));
  EXPECT_THAT(Of(ValueKind::kJob), IsEmpty());
  EXPECT_THAT(Of(ValueKind::kSnapshot), IsEmpty());
}

TEST_F(RootIds, AThousandAtMost) {
  for (int i = 0; i < 1'003; ++i) Make("segments/" + std::to_string(10'000 + i));
  EXPECT_THAT(Of(ValueKind::kSegment), SizeIs(1'000));
  EXPECT_EQ(Of(ValueKind::kSegment).back(), "10003");
}

TEST_F(RootIds, TheRootIsFoundAsForEveryVerb) {
  for (const char* root : {"typed", "variable", "file", "named"}) Make(std::string("segments/of-") + root, root);
  std::ofstream(Root("t.ini")) << "root = " << Root("file") << "\n[fetch]\ndelay_ms = 500\n";
  const std::string variable = "TRAWL_ROOT=" + Root("variable"), config = "TRAWL_CONFIG=" + Root("t.ini");
  const auto found = [](const TypedCrawl& crawl, const Words& environment) {
    return Ids(ValueKind::kSegment, crawl, environment);
  };
  EXPECT_THAT(found({.root = Root("typed"), .config = Root("t.ini")}, {variable}), ElementsAre("of-typed"));
  EXPECT_THAT(found({.root = {}, .config = Root("t.ini")}, {variable}), ElementsAre("of-variable"));
  EXPECT_THAT(found({.root = {}, .config = Root("t.ini")}, {}), ElementsAre("of-file"));
  EXPECT_THAT(found({}, {config}), ElementsAre("of-file"));
  EXPECT_THAT(found({.root = "file://" + Root("named"), .config = {}}, {}), ElementsAre("of-named"));
  EXPECT_THAT(found({.root = "~/named", .config = {}}, {"HOME=" + folder_.path()}), ElementsAre("of-named"));
}

TEST_F(RootIds, ARootThatCannotBeReadHasNone) {
  const auto of_root = [](const std::string& root) { return Ids(ValueKind::kJob, {.root = root, .config = {}}); };
  EXPECT_THAT(of_root(Root("not there")), IsEmpty());
  EXPECT_FALSE(fs::exists(Root("not there"))) << "looking makes nothing";
  std::ofstream(Root("a file")) << "x";
  EXPECT_THAT(of_root(Root("a file")), IsEmpty());
  fs::create_directories(Root("odd"));
  ASSERT_EQ(mkfifo((Root("odd") + "/jobs").c_str(), 0600), 0);
  EXPECT_THAT(of_root(Root("odd")), IsEmpty());
  fs::create_directories(Root("loop"));
  fs::create_directory_symlink("jobs", Root("loop") + "/jobs");
  EXPECT_THAT(of_root(Root("loop")), IsEmpty());
  EXPECT_THAT(of_root(""), IsEmpty());
  EXPECT_THAT(of_root(std::string(100'000, 'x')), IsEmpty());
  // Not asked.
  for (const char* root : {"hdfs://127.0.0.1:1/x", "s3://bucket/x", "viewfs://x/y"})
    EXPECT_THAT(of_root(root), IsEmpty());
  // A config file that is none.
  for (const std::string& config : {Root("odd") + "/jobs", Root("not there"), Root("odd")})
    EXPECT_THAT(Ids(ValueKind::kJob, {.root = {}, .config = config}, {}), IsEmpty());
}

}  // namespace
}  // namespace trawl
