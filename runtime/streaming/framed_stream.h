// Records as frames, which map and reduce tasks under Hadoop Streaming write to standard output and read from standard
// input.
//
// Hadoop sorts and carries the frames between the two. Each object belongs to one thread.
#pragma once

#include <string>
#include <string_view>

#include "formats/hadoop/frame.h"
#include "runtime/shuffle/grouping_stream.h"
#include "runtime/shuffle/record_stream.h"

namespace trawl {

// Writes a mapper's records to a byte sink, each key after the label of its partition.
class FramedSink : public RecordSink {
 public:
  // The caller owns `sink`, which outlives this object. REQUIRES: 1 <= partitions <= kMaxLabelledPartitions.
  FramedSink(ByteSink* sink, int partitions, const FrameLimits& limits = FrameLimits())
      : writer_(sink), partitions_(partitions), limits_(limits) {}

  // CapacityError for a record that the reader's limits would refuse.
  arrow::Status Emit(int partition, std::string_view key, std::string_view value) override;
  // Writes the buffered bytes. Until then nothing is complete.
  arrow::Status Finish() { return writer_.Flush(); }

 private:
  FrameWriter writer_;
  const int partitions_;
  const FrameLimits limits_;
};

// Reads a reducer's records from a byte source and takes the labels off. Fails where keys do not ascend or labels
// differ, as they would if the job had another partitioner or comparator.
class FramedGroupStream : public GroupingStream {
 public:
  // The caller owns `source`, which outlives this object.
  explicit FramedGroupStream(ByteSource* source, const FrameLimits& limits = FrameLimits()) : reader_(source, limits) {}

 private:
  arrow::Result<bool> NextRecord(std::string_view* key, std::string_view* value) override;

  FrameReader reader_;
  std::string label_;  // the label of all records, once there was one
};

}  // namespace trawl
