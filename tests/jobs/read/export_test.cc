// trawl export: whose folder it is, and what may be in it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/process/trawl_command.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

class Export : public ::testing::Test {
 protected:
  void Inject(const std::string& url) { ASSERT_EQ(Trawl({"inject", "--root", root_, "--quiet", url}).exit_code, 0); }
  BinaryResult Run(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"export", out_, "--root", root_, "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Trawl(arguments);
  }
  bool Has(const std::string& name) const { return std::filesystem::exists(out_ + "/" + name); }

  TemporaryFolder folder_;
  const std::string root_ = folder_.path() + "/crawl";
  const std::string out_ = folder_.path() + "/out";
};

TEST_F(Export, AnInterruptedOneStartsAnewAfterTheCrawlHasGoneOn) {
  Inject("https://a.example/");
  ASSERT_EQ(AnswerOf(Run({"--format", "parquet"}))["urls"], 1);
  std::filesystem::remove(out_ + "/_SUCCESS");
  Inject("https://b.example/");
  EXPECT_EQ(AnswerOf(Run())["urls"], 2);
  EXPECT_TRUE(Has("_SUCCESS") && Has("urls/part-00000.orc"));
  EXPECT_FALSE(Has("urls/part-00000.parquet")) << "parts of the interrupted one are gone";
}

TEST_F(Export, AFinishedOneIsReplacedOnlyWhenAsked) {
  Inject("https://a.example/");
  ASSERT_EQ(Run().exit_code, 0);
  Inject("https://b.example/");
  const BinaryResult refused = Run();
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("holds another export (see _export.json there); choose another folder, or replace "
                                     "it with --overwrite"));
  EXPECT_EQ(AnswerOf(Run({"--overwrite", "--format", "parquet"}))["urls"], 2);
  EXPECT_FALSE(Has("urls/part-00000.orc"));
  EXPECT_EQ(AnswerOf(Run({"--overwrite", "--format", "parquet"}))["changed"], false);
}

TEST_F(Export, AFolderOfSomebodyElseIsNeverTouched) {
  Inject("https://a.example/");
  std::filesystem::create_directory(out_);
  std::ofstream(out_ + "/thesis.txt") << "mine";
  EXPECT_EQ(Run({"--overwrite"}).exit_code, 2);
  for (const char* text : {"", "{}", "not even JSON"}) {
    std::ofstream(out_ + "/_export.json") << text;
    EXPECT_EQ(Run({"--overwrite"}).exit_code, 2) << text;
  }
  EXPECT_TRUE(Has("thesis.txt"));
}

TEST_F(Export, TheCrawlsOwnFoldersAreRefused) {
  Inject("https://a.example/");
  std::filesystem::create_directory_symlink(root_, folder_.path() + "/link");
  for (const std::string& folder :
       {root_, root_ + "/", root_ + "/crawldb/x", root_ + "/../crawl/x", folder_.path() + "/link/x"}) {
    const BinaryResult result = Trawl({"export", folder, "--root", root_});
    EXPECT_EQ(result.exit_code, 2) << folder;
    EXPECT_THAT(result.err, HasSubstr("is within the crawl"));
  }
  EXPECT_EQ(Trawl({"export", root_ + "-beside", "--root", root_, "--quiet"}).exit_code, 0);
}

}  // namespace
}  // namespace trawl
