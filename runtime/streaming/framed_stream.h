// Records as frames: what map and reduce tasks under Hadoop Streaming write to standard output and read from standard
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

// A mapper's records to a byte sink, each key behind the label of its partition.
class FramedSink : public RecordSink {
 public:
  // `sink` is the caller's and outlives it. REQUIRES: 1 <= partitions <= kMaxLabelledPartitions.
  FramedSink(ByteSink* sink, int partitions, const FrameLimits& limits = FrameLimits())
      : writer_(sink), partitions_(partitions), limits_(limits) {}

  // CapacityError for what the reader's limits would refuse.
  arrow::Status Emit(int partition, std::string_view key, std::string_view value) override;
  // Writes what is buffered. Nothing is whole before.
  arrow::Status Finish() { return writer_.Flush(); }

 private:
  FrameWriter writer_;
  const int partitions_;
  const FrameLimits limits_;
};

// A reducer's records from a byte source: labels are taken off. Fails where keys do not ascend or labels differ, as
// they would were the job's partitioner or comparator another.
class FramedGroupStream : public GroupingStream {
 public:
  // `source` is the caller's and outlives it.
  explicit FramedGroupStream(ByteSource* source, const FrameLimits& limits = FrameLimits()) : reader_(source, limits) {}

 private:
  arrow::Result<bool> NextRecord(std::string_view* key, std::string_view* value) override;

  FrameReader reader_;
  std::string label_;  // of all records, once there was one
};

}  // namespace trawl
