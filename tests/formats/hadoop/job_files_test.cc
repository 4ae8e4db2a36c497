// The files of a job, to the bytes that Hadoop's own client writes for it.
#include "formats/hadoop/job_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "formats/hadoop/config.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(JobFiles, ALineIsASplit) {
  EXPECT_THAT(LineSplits("0\n"), ElementsAre(FileSplit{0, 1}));
  // A longer one first; of equal ones the first.
  EXPECT_THAT(LineSplits("0\n1\n2\n10\n11\n"),
              ElementsAre(FileSplit{5, 3}, FileSplit{8, 3}, FileSplit{1, 2}, FileSplit{3, 2}, FileSplit{0, 1}));
  EXPECT_THAT(LineSplits("0\n1"), ElementsAre(FileSplit{0, 1}, FileSplit{1, 1}));
  EXPECT_TRUE(LineSplits("").empty());
}

TEST(JobFiles, SplitsAsHadoopWritesThem) {
  const SplitFiles files = SplitFilesOf("hdfs://h/c", LineSplits("0\n10\n"));
  const std::string name = "\x22org.apache.hadoop.mapred.FileSplit\x0Ahdfs://h/c";
  const std::string seven(7, '\0');
  EXPECT_EQ(files.splits, std::string("SPL\0\0\0\1", 7) + name + seven + "\1" + seven + "\3" + name + seven +
                              std::string(1, '\0') + seven + "\1");
  // Two splits, of no hosts; the second one begins after 7 bytes of head and 62 of the first.
  EXPECT_EQ(files.meta_info, std::string("META-SPL\1\2\0\7\3\0\x45\1", 16));
}

TEST(JobFiles, LargeNumbersTakeMoreBytes) {
  const SplitFiles files = SplitFilesOf(std::string(200, 'x'), {{0, 127}, {0, 128}, {0, 70'000}});
  const std::string size = std::string("\x8F\xC8", 2);  // 200
  EXPECT_EQ(files.splits.substr(7 + 35, 2), size);
  // Offsets 7, 260 and 513: one byte, and two after the byte that says so.
  EXPECT_EQ(files.meta_info, std::string("META-SPL\1\3", 10) + std::string("\0\7\x7F", 3) +
                                 std::string("\0\x8E\1\4\x8F\x80", 6) + std::string("\0\x8E\2\1\x8D\1\x11\x70", 8));
}

TEST(JobFiles, AnySettingComesBack) {
  const std::string odd = " a<b>&\"'\t\n\r ]]> \xC3\xA9 ${x} ";
  const auto xml =
      JobXml({{"n&me", odd, "trawl", false}, {"b", "1", "core-site.xml", true}, {"b", "2", "trawl", false}});
  ASSERT_OK(xml.status());
  EXPECT_THAT(*xml,
              HasSubstr("<property><name>b</name><value>1</value><final>true</final><source>core-site.xml</source>"));
  HadoopConfig config;
  ASSERT_OK(config.Add(*xml));
  EXPECT_EQ(config.values().at("n&me").text, odd);
  EXPECT_EQ(config.Get("b"), "1");
  EXPECT_THAT(JobXml({{"n", "a\x01", "", false}}).status().message(), HasSubstr("the setting n"));
}

}  // namespace
}  // namespace trawl
