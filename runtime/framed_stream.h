// Records as frames: what map and reduce tasks under Hadoop Streaming write to standard output and read from standard input.
//
// Hadoop sorts and carries the frames between the two. Each object belongs to one thread.
#pragma once

#include <string>
#include <string_view>

#include "formats/frame.h"
#include "runtime/record_stream.h"

namespace trawl {

// A mapper's records to a byte sink, each key behind the label of its partition.
class FramedSink : public RecordSink {
 public:
  // `sink` is the caller's and outlives it. REQUIRES: 1 <= partitions <= kMaxLabelledPartitions.
  FramedSink(ByteSink* sink, int partitions) : writer_(sink), partitions_(partitions) {}

  arrow::Status Emit(int partition, std::string_view key, std::string_view value) override;
  // Writes what is buffered. Nothing is whole before.
  arrow::Status Finish() { return writer_.Flush(); }

 private:
  FrameWriter writer_;
  const int partitions_;
};

// A reducer's records from a byte source: labels are taken off. Fails where keys do not ascend or labels differ, as they
// would were the job's partitioner or comparator another.
class FramedGroupStream : public GroupStream {
 public:
  // `source` is the caller's and outlives it.
  explicit FramedGroupStream(ByteSource* source, const FrameLimits& limits = FrameLimits()) : reader_(source, limits) {}

  arrow::Result<bool> NextGroup() override;
  std::string_view key() const override { return std::string_view(wire_key_).substr(sizeof(PartitionLabel)); }
  arrow::Result<bool> NextValue(std::string_view* value) override;

 private:
  arrow::Result<bool> Fill();
  arrow::Status CheckOrder() const;

  FrameReader reader_;
  Frame frame_;
  std::string wire_key_;    // of the group, with its label
  bool has_frame_ = false;  // `frame_` has been read but not handed out
  bool in_group_ = false;   // the group may have more values
  bool began_ = false;
  bool at_end_ = false;
};

}  // namespace trawl
