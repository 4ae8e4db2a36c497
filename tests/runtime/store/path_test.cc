#include "runtime/store/path.h"

#include <gtest/gtest.h>

#include "tests/support/values/assert_ok.h"

namespace trawl {

TEST(StorePath, ValidOnes) {
  for (const std::string& path :
       {std::string("a"), std::string("a/b/c.orc"), std::string(".hidden"), std::string("..."),
        std::string("a b%+=&#?"), std::string("\xc3\xa4"), std::string(255, 'x')}) {
    EXPECT_OK(CheckStorePath(path)) << path;
    EXPECT_OK(CheckStoreFolder(path)) << path;
  }
}

TEST(StorePath, InvalidOnesSayWhy) {
  const struct {
    std::string path;
    const char* reason;
  } cases[] = {
      {"", "is empty"},
      {"/a", "has an empty part"},
      {"a/", "has an empty part"},
      {"a//b", "has an empty part"},
      {"a/./b", "has a part that is . or .."},
      {"../a", "has a part that is . or .."},
      {"a/..", "has a part that is . or .."},
      {std::string("a\0b", 3), "has a control character"},
      {"a\x7f", "has a control character"},
      {"12:30", "has a character that not every store takes"},
      {"a\\b", "has a character that not every store takes"},
      {"\xff", "is not UTF-8"},
      {"\xc3", "is not UTF-8"},
      {std::string(256, 'x'), "has a part of more than 255 bytes"},
      {std::string(200, 'x') + "/" + std::string(800, 'y'), "has more than 1000 bytes"},
  };
  for (const auto& bad : cases) {
    const arrow::Status status = CheckStorePath(bad.path);
    EXPECT_TRUE(status.IsInvalid()) << bad.path;
    EXPECT_NE(status.message().find(bad.reason), std::string::npos) << status;
  }
  EXPECT_OK(CheckStoreFolder(""));
  EXPECT_FALSE(CheckStoreFolder("/").ok());
}

TEST(StorePath, PartsAndBack) {
  EXPECT_EQ(ParentOf("a/b/c"), "a/b");
  EXPECT_EQ(NameOf("a/b/c"), "c");
  EXPECT_EQ(ParentOf("c"), "");
  EXPECT_EQ(NameOf("c"), "c");
  EXPECT_EQ(JoinPath("a/b", "c"), "a/b/c");
  EXPECT_EQ(JoinPath("", "c"), "c");
}

TEST(StorePath, TemporaryNamesLieBesideTheFileAndDiffer) {
  const std::string one = TemporaryPathFor("a/b");
  EXPECT_EQ(ParentOf(one), "a");
  EXPECT_TRUE(IsTemporaryPath(one));
  EXPECT_OK(CheckStorePath(one));
  EXPECT_NE(one, TemporaryPathFor("a/b"));
  EXPECT_FALSE(IsTemporaryPath("_tmp-x/data"));
  EXPECT_TRUE(IsTemporaryPath(TemporaryPathFor("top")));
}

}  // namespace trawl
