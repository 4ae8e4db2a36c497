#include "runtime/streaming/framed_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "runtime/shuffle/trailer.h"
#include "tests/support/values/byte_streams.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;
using namespace std::string_literals;

using Frames = std::vector<std::pair<std::string, std::string>>;

Frames FramesOf(const std::string& bytes) {
  StringSource source(bytes);
  FrameReader reader(&source);
  Frames frames;
  Frame frame;
  while (reader.Next(&frame).ValueOrDie()) frames.emplace_back(frame.key, frame.value);
  return frames;
}

std::string BytesOf(const Frames& frames) {
  StringSink sink;
  FrameWriter writer(&sink);
  for (const auto& [key, value] : frames) EXPECT_TRUE(writer.Write(key, "", value).ok());
  EXPECT_TRUE(writer.Flush().ok());
  return sink.written();
}

TEST(FramedStream, CarriesRecordsAndTrailersThroughASort) {
  constexpr int kPartitions = 3;
  Frames frames;
  for (uint32_t task = 0; task < 4; ++task) {
    StringSink bytes;
    FramedSink sink(&bytes, kPartitions);
    TrailerSink trailers(&sink, task, kPartitions);
    for (uint32_t i = 0; i < 50; ++i) {
      ASSERT_TRUE(
          trailers.Emit(static_cast<int>(i % 2), "\0\x01k"s + std::to_string(i % 7), std::to_string(task)).ok());
    }
    ASSERT_TRUE(trailers.Finish().ok());
    ASSERT_TRUE(sink.Finish().ok());
    const Frames sent = FramesOf(bytes.written());
    frames.insert(frames.end(), sent.begin(), sent.end());
  }
  // Sorts like Hadoop: by partition, then by key.
  std::sort(frames.begin(), frames.end());
  int64_t records = 0;
  for (int partition = 0; partition < kPartitions; ++partition) {
    const PartitionLabel label = LabelOf(partition, kPartitions);
    Frames mine;
    for (const auto& frame : frames) {
      if (frame.first.substr(0, 2) == std::string_view(label.data(), 2)) mine.push_back(frame);
    }
    const std::string bytes = BytesOf(mine);
    StringSource source(bytes, 11);
    FramedGroupStream groups(&source);
    TrailerCheck check(&groups, 4);
    int count = 0;
    for (; check.NextGroup().ValueOrDie(); ++count) EXPECT_EQ(check.key(), "\0\x01k"s + std::to_string(count));
    EXPECT_EQ(count, partition == 2 ? 0 : 7);
    records += check.records();
  }
  EXPECT_EQ(records, 200);
}

TEST(FramedStream, ValuesLeftUnreadAreSkipped) {
  const std::string bytes = BytesOf({{"\0\0a"s, "1"}, {"\0\0a"s, "2"}, {"\0\0b"s, "3"}, {"\0\0b"s, "4"}});
  StringSource source(bytes);
  FramedGroupStream groups(&source);
  ASSERT_TRUE(groups.NextGroup().ValueOrDie());
  EXPECT_EQ(groups.key(), "a");
  ASSERT_TRUE(groups.NextGroup().ValueOrDie());
  EXPECT_EQ(groups.key(), "b");
  std::string_view value;
  ASSERT_TRUE(groups.NextValue(&value).ValueOrDie());
  EXPECT_EQ(value, "3");
  EXPECT_FALSE(groups.NextGroup().ValueOrDie());
  EXPECT_FALSE(groups.NextValue(&value).ValueOrDie());
}

TEST(FramedStream, WhatAWrongPartitionerOrComparatorGivesIsRefused) {
  const struct {
    Frames frames;
    const char* message;
  } kCases[] = {
      {{{"\0\x01"
         "b"s,
         ""},
        {"\0\x01"
         "a"s,
         ""}},
       "do not ascend"},
      {{{"\0\x01"
         "a"s,
         ""},
        {"\0\x02"
         "a"s,
         ""}},
       "of another partition"},
      {{{"\0"s, ""}}, "without a label"},
  };
  for (const auto& c : kCases) {
    const std::string bytes = BytesOf(c.frames);
    StringSource source(bytes);
    FramedGroupStream groups(&source);
    arrow::Result<bool> more = true;
    while (more.ok() && *more) more = groups.NextGroup();
    ASSERT_FALSE(more.ok());
    EXPECT_THAT(more.status().message(), HasSubstr(c.message));
  }
}

TEST(FramedStream, PartitionsOutsideAreRefused) {
  StringSink bytes;
  FramedSink sink(&bytes, 2);
  EXPECT_FALSE(sink.Emit(2, "k", "v").ok());
  EXPECT_FALSE(sink.Emit(-1, "k", "v").ok());
}

TEST(FramedStream, WhatTheReaderWouldRefuseIsNotSent) {
  const FrameLimits limits{.key_bytes = 12, .value_bytes = 20};
  StringSink bytes;
  FramedSink sink(&bytes, 1, limits);
  EXPECT_TRUE(sink.Emit(0, std::string(10, 'k'), std::string(20, 'v')).ok());
  EXPECT_TRUE(sink.Emit(0, std::string(11, 'k'), "").IsCapacityError());
  EXPECT_TRUE(sink.Emit(0, "", std::string(21, 'v')).IsCapacityError());
  ASSERT_TRUE(sink.Finish().ok());
  StringSource source(bytes.written());
  FramedGroupStream groups(&source, limits);
  EXPECT_TRUE(groups.NextGroup().ValueOrDie());
  EXPECT_FALSE(groups.NextGroup().ValueOrDie());
}

}  // namespace
}  // namespace trawl
