#include "formats/hadoop/frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/values/byte_streams.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;
using namespace std::string_literals;

using Pairs = std::vector<std::pair<std::string, std::string>>;

std::string WriteAll(const Pairs& pairs) {
  StringSink sink;
  FrameWriter writer(&sink);
  for (const auto& [key, value] : pairs) EXPECT_TRUE(writer.Write(key, "", value).ok());
  EXPECT_TRUE(writer.Flush().ok());
  return sink.written();
}

arrow::Result<Pairs> ReadAll(std::string_view bytes, size_t piece, const FrameLimits& limits = FrameLimits()) {
  StringSource source(bytes, piece);
  FrameReader reader(&source, limits);
  Pairs pairs;
  for (;;) {
    Frame frame;
    ARROW_ASSIGN_OR_RAISE(const bool more, reader.Next(&frame));
    if (!more) return pairs;
    pairs.emplace_back(frame.key, frame.value);
  }
}

TEST(Frame, IsSizesBigEndianAndBytes) {
  StringSink sink;
  FrameWriter writer(&sink);
  ASSERT_TRUE(writer.Write("\x00\x01"s, "\x12\x34"s, "x").ok());
  ASSERT_TRUE(writer.Write("", "", std::string(258, 'v')).ok());
  EXPECT_EQ(sink.written(), "");  // buffered
  ASSERT_TRUE(writer.Flush().ok());
  EXPECT_EQ(sink.written(), "\0\0\0\x04\0\x01\x12\x34\0\0\0\x01x"s + "\0\0\0\0\0\0\x01\x02"s + std::string(258, 'v'));
}

TEST(Frame, ReadsWhatWasWrittenWhateverThePieces) {
  const Pairs pairs = {{"", ""},
                       {"key", "value"},
                       {std::string(1000, 'k'), ""},
                       {"", std::string(300 << 10, 'v')},
                       {"a", std::string(3 << 20, 'w')},
                       {"b", "c"}};
  const std::string bytes = WriteAll(pairs);
  for (const size_t piece : {size_t{1}, size_t{7}, size_t{4096}, bytes.size()}) {
    EXPECT_EQ(ReadAll(bytes, piece).ValueOrDie(), pairs) << piece;
  }
}

TEST(Frame, EveryCutWithinAFrameIsInvalid) {
  const std::string bytes = WriteAll({{"key", "value"}, {"k", "v"}});
  const size_t first = 4 + 3 + 4 + 5;
  for (size_t size = 0; size <= bytes.size(); ++size) {
    const auto pairs = ReadAll(std::string_view(bytes).substr(0, size), 3);
    const bool whole = size == 0 || size == first || size == bytes.size();
    ASSERT_EQ(pairs.ok(), whole) << size;
    if (whole) continue;
    EXPECT_THAT(pairs.status().message(), HasSubstr(size < first ? "byte 0 is cut" : "byte 16 is cut"));
  }
}

TEST(Frame, SizesPastTheLimitsAreRefusedBeforeTheyAreRead) {
  const FrameLimits limits{.key_bytes = 10, .value_bytes = 20};
  EXPECT_TRUE(ReadAll(WriteAll({{std::string(10, 'k'), std::string(20, 'v')}}), 5, limits).ok());
  EXPECT_THAT(ReadAll(WriteAll({{std::string(11, 'k'), ""}}), 5, limits).status().message(), HasSubstr("key of 11"));
  EXPECT_THAT(ReadAll(WriteAll({{"", std::string(21, 'v')}}), 5, limits).status().message(), HasSubstr("value of 21"));
  // A negative size in Java.
  EXPECT_THAT(ReadAll("\xFF\xFF\xFF\xFF", 4).status().message(), HasSubstr("4294967295"));
}

TEST(Frame, WriteFailureIsHandedOn) {
  class FullSink : public ByteSink {
    arrow::Status Write(std::string_view) override { return arrow::Status::IOError("full"); }
  };
  FullSink sink;
  FrameWriter writer(&sink);
  EXPECT_TRUE(writer.Write("k", "", "v").ok());
  EXPECT_FALSE(writer.Flush().ok());
  EXPECT_FALSE(writer.Write("k", "", std::string(1 << 20, 'v')).ok());
}

// Hadoop's use of the label: WritableComparator.hashBytes over signed bytes in 32 bits, then BinaryPartitioner.
int HadoopPartition(const PartitionLabel& label, int partitions) {
  uint32_t hash = 1;
  for (const char byte : label)
    hash = 31 * hash + static_cast<uint32_t>(static_cast<int32_t>(static_cast<int8_t>(byte)));
  return static_cast<int>(hash & 0x7FFFFFFF) % partitions;
}

TEST(Frame, LabelsSteerHadoopToEveryPartition) {
  int checked = 0;
  for (int partitions = 1; partitions <= kMaxLabelledPartitions; partitions += partitions < 300 ? 1 : 41) {
    for (int partition = 0; partition < partitions; ++partition) {
      ASSERT_EQ(HadoopPartition(LabelOf(partition, partitions), partitions), partition) << partitions;
      ++checked;
    }
  }
  for (int partition = 0; partition < kMaxLabelledPartitions; ++partition) {
    ASSERT_EQ(HadoopPartition(LabelOf(partition, kMaxLabelledPartitions), kMaxLabelledPartitions), partition);
  }
  EXPECT_GT(checked, 100000);
}

}  // namespace
}  // namespace trawl
