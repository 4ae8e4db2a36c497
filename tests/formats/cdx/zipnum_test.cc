#include "formats/cdx/zipnum.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <numeric>

#include "formats/sitemap/gzip.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

std::string LineOf(int number) {
  char key[32];
  std::snprintf(key, sizeof key, "com,example)/%05d", number);
  return std::string(key) + " 20260101000000 {\"url\": \"x\"}\n";
}

std::string Unzipped(std::string_view file) {
  std::string text;
  EXPECT_EQ(Gunzip(file,
                   [&text](std::string_view piece) {
                     text += piece;
                     return true;
                   }),
            GunzipEnd::kWhole);
  return text;
}

// Each block can be cut out alone, and its entry in cluster.idx is its first line's.
TEST(ZipNum, BlocksAreMembersOfSoManyLines) {
  ZipNumWriter writer(*GzipMembers::Make(6), 3);
  std::string file;
  for (int i = 0; i < 8; ++i) ASSERT_OK(writer.Add(LineOf(i), &file));
  ASSERT_OK(writer.Finish(&file));
  ASSERT_EQ(writer.blocks().size(), 3u);
  EXPECT_EQ(writer.lines(), 8);
  int first = 0;
  int64_t offset = 0;
  for (const ZipNumBlock& block : writer.blocks()) {
    EXPECT_EQ(block.offset, offset);
    EXPECT_EQ(block.lines, first == 6 ? 2 : 3);
    std::string lines;
    for (int i = 0; i < block.lines; ++i) lines += LineOf(first + i);
    EXPECT_EQ(
        Unzipped(std::string_view(file).substr(static_cast<size_t>(block.offset), static_cast<size_t>(block.length))),
        lines);
    EXPECT_EQ(block.first + " {\"url\": \"x\"}\n", LineOf(first));
    first += static_cast<int>(block.lines);
    offset += block.length;
  }
  EXPECT_EQ(offset, static_cast<int64_t>(file.size()));
}

TEST(ZipNum, BlocksMayBeTakenAwayAsTheyCome) {
  ZipNumWriter writer(*GzipMembers::Make(1), 2);
  std::string file;
  int64_t lines = 0, bytes = 0;
  for (int i = 0; i < 5; ++i) {
    ASSERT_OK(writer.Add(LineOf(i), &file));
    for (const ZipNumBlock& block : writer.blocks()) lines += block.lines, bytes += block.length;
    writer.blocks().clear();
  }
  EXPECT_EQ(lines, 4);
  EXPECT_EQ(bytes, static_cast<int64_t>(file.size()));
}

TEST(ZipNum, ALineOutOfOrderIsAnError) {
  ZipNumWriter writer(*GzipMembers::Make(6), 3);
  std::string file;
  ASSERT_OK(writer.Add(LineOf(5), &file));
  EXPECT_FALSE(writer.Add(LineOf(4), &file).ok());
  EXPECT_FALSE(writer.Add(LineOf(5), &file).ok());
}

TEST(ZipNum, NoLinesAreNoBytes) {
  ZipNumWriter writer(*GzipMembers::Make(6));
  std::string file;
  ASSERT_OK(writer.Finish(&file));
  EXPECT_TRUE(file.empty());
  EXPECT_TRUE(writer.blocks().empty());
}

TEST(ZipNum, AClusterLineHasTabs) {
  std::string line;
  AppendClusterLine({"com,example)/a 20260101000000", 10, 20, 3000}, "cdx-00001.gz", 7, &line);
  EXPECT_EQ(line, "com,example)/a 20260101000000\tcdx-00001.gz\t10\t20\t7\n");
}

}  // namespace
}  // namespace trawl
