// Does Hadoop's work between map and reduce tasks on their frames: picks those of a partition and sorts them by key.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/hadoop/frame.h"
#include "tests/support/values/byte_streams.h"

namespace trawl {

using OwnFrame = std::pair<std::string, std::string>;

inline std::vector<OwnFrame> FramesIn(std::string_view bytes) {
  StringSource source(bytes);
  FrameReader reader(&source);
  std::vector<OwnFrame> frames;
  for (Frame frame; reader.Next(&frame).ValueOrDie();) frames.emplace_back(frame.key, frame.value);
  return frames;
}

inline std::string BytesOf(const std::vector<OwnFrame>& frames) {
  StringSink sink;
  FrameWriter writer(&sink);
  for (const auto& [key, value] : frames) EXPECT_TRUE(writer.Write("", key, value).ok());
  EXPECT_TRUE(writer.Flush().ok());
  return sink.written();
}

inline std::vector<OwnFrame> FramesOfPartition(std::string_view bytes, int partition, int partitions) {
  const PartitionLabel label = LabelOf(partition, partitions);
  std::vector<OwnFrame> frames = FramesIn(bytes);
  std::erase_if(frames, [&](const OwnFrame& frame) {
    return !std::string_view(frame.first).starts_with(std::string_view(label.data(), label.size()));
  });
  return frames;
}

// Frames of equal keys come in any order: the seed says in which.
inline std::string SortedByHadoop(std::vector<OwnFrame> frames, uint64_t seed = 1) {
  std::shuffle(frames.begin(), frames.end(), std::mt19937_64(seed));
  std::sort(frames.begin(), frames.end(), [](const OwnFrame& a, const OwnFrame& b) { return a.first < b.first; });
  return BytesOf(frames);
}

}  // namespace trawl
