#include "runtime/bundle/bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "runtime/process/child_process.h"
#include "runtime/process/status_detail.h"
#include "tests/support/store/temporary_folder.h"

namespace trawl {
namespace {

namespace stdfs = std::filesystem;
using testing::HasSubstr;

class BundleTest : public testing::Test {
 protected:
  stdfs::path Write(const std::string& name, const std::string& text) {
    const stdfs::path path = stdfs::path(folder_.path()) / name;
    stdfs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path;
  }
  void MakeOlder(const stdfs::path& path, std::chrono::hours by = std::chrono::hours(1)) {
    stdfs::last_write_time(path, stdfs::last_write_time(path) - by);
  }
  // The names in an archive.
  static std::string NamesIn(const std::string& archive) {
    return RunChild({.command = {"tar", "-tzf", archive}}).ValueOrDie().out;
  }

  TemporaryFolder folder_;
  const stdfs::path binary_ = Write("a/b/bin/trawl", "program");
  const BundlePlaces places_ = {.binary = binary_, .cache = folder_.path() + "/cache/bundles"};
};

TEST_F(BundleTest, TheOneBesideTheProgramOrAboveIt) {
  for (const char* name : {"a/trawl.tar.gz", "a/b/trawl.tar.gz", "a/b/bin/trawl.tar.gz"}) {
    const stdfs::path bundle = Write(name, "archive");
    EXPECT_EQ(FindOrMakeBundle(places_).ValueOr("none"), bundle.string()) << "the nearest one counts";
  }
}

TEST_F(BundleTest, OneOfAnUnpackedBundleIsMadeOnceAndKept) {
  Write("a/b/bundle.txt", "trawl");
  Write("a/b/lib/libx.so", "library");
  Write("a/b/licences/INDEX", "x");
  Write("a/b/own.txt", "what others have put there");
  MakeOlder(Write("a/b/trawl.tar.gz", "of an older program"));
  const std::string made = FindOrMakeBundle(places_).ValueOrDie();
  EXPECT_THAT(made, HasSubstr("/cache/bundles/"));
  EXPECT_EQ(NamesIn(made), "bin/\nbin/trawl\nbundle.txt\nlib/\nlib/libx.so\nlicences/\nlicences/INDEX\n");
  std::ofstream(made) << "a mark";
  EXPECT_EQ(FindOrMakeBundle(places_).ValueOr(""), made);
  EXPECT_EQ(stdfs::file_size(made), 6) << "it was not made again";
  Write("a/b/bin/trawl", "another program");
  EXPECT_NE(FindOrMakeBundle(places_).ValueOr(""), made);
}

TEST_F(BundleTest, BundlesThatNobodyUsedForAMonthAreRemoved) {
  Write("a/b/bundle.txt", "trawl");
  Write("a/b/lib/libx.so", "library");
  const stdfs::path used = Write("cache/bundles/used.tar.gz", "of a build in use");
  const stdfs::path unused = Write("cache/bundles/unused.tar.gz", "of a build of last year");
  MakeOlder(used, std::chrono::hours(29 * 24));
  MakeOlder(unused, std::chrono::hours(31 * 24));
  const stdfs::path made = FindOrMakeBundle(places_).ValueOrDie();
  EXPECT_TRUE(stdfs::exists(used));
  EXPECT_FALSE(stdfs::exists(unused));
  MakeOlder(made, std::chrono::hours(31 * 24));
  EXPECT_EQ(FindOrMakeBundle(places_).ValueOr(""), made.string());
  EXPECT_TRUE(stdfs::exists(made)) << "it is in use";
}

TEST_F(BundleTest, TheScriptOfTheCheckoutMakesOne) {
  const stdfs::path script =
      Write("a/scripts/bundle", "#!/bin/sh\n[ \"$1 $3\" = '--binary --output' ] && cp \"$2\" \"$4\"\n");
  stdfs::permissions(script, stdfs::perms::owner_all);
  const std::string made = FindOrMakeBundle(places_).ValueOrDie();
  std::string text;
  std::ifstream(made) >> text;
  EXPECT_EQ(text, "program");
}

TEST_F(BundleTest, AScriptThatFailsIsQuotedAndLeavesNothing) {
  stdfs::permissions(
      Write("a/scripts/bundle", "#!/bin/sh\necho half >\"$4\"; echo 'patchelf is missing' >&2; exit 1\n"),
      stdfs::perms::owner_all);
  const auto made = FindOrMakeBundle(places_).status();
  EXPECT_EQ(KindOf(made), StatusKind::kUsage);
  EXPECT_THAT(made.message(), HasSubstr("patchelf is missing"));
  EXPECT_TRUE(stdfs::is_empty(places_.cache));
}

TEST_F(BundleTest, WithoutAnythingTheErrorSaysWhatToDo) {
  for (const std::string& cache : {places_.cache, std::string()}) {
    const auto made = FindOrMakeBundle({.binary = binary_, .cache = cache}).status();
    EXPECT_EQ(KindOf(made), StatusKind::kUsage);
    EXPECT_THAT(made.message(), HasSubstr("scripts/bundle"));
    EXPECT_THAT(made.message(), HasSubstr("--streaming.bundle FILE"));
  }
}

}  // namespace
}  // namespace trawl
