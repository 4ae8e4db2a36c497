// Trailers tell a reducer that it has every record of every map task.
//
// After all its records, a map task sends each partition one trailer: a record with the key FF FF FF, whose value is
// the task's number (4 bytes) and the number of records it sent to that partition (8 bytes), little-endian. Real keys
// begin with a slot of two bytes, big-endian, and continue in ASCII (below 80). So the trailers are the last group of a
// partition, and a partition that receives no record still receives them.
//
// Where records were combined on their way (runtime/shuffle/combiner.h), values of 8 bytes among the trailers say how many
// fewer came of it, little-endian.
//
//   FF FF 63 6F 6D …   a record of slot 65535, host "com…"
//   FF FF FF           the trailers: 02 00 00 00 · 39 30 00 00 00 00 00 00 is task 2, 12,345 records
//
// Each object belongs to one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "runtime/shuffle/record_stream.h"

namespace trawl {

constexpr std::string_view kTrailerKey = "\xFF\xFF\xFF";

// Returns the value, under the trailers' key, which says that `records` fewer go on than came.
std::string CombinedNote(uint64_t records);

// Counts the records that a map task sends, and sends its trailers.
class TrailerSink : public RecordSink {
 public:
  // The caller owns `sink`, which outlives this object.
  TrailerSink(RecordSink* sink, uint32_t map_task, int partitions);

  // Invalid for a key that does not sort before the trailers.
  arrow::Status Emit(int partition, std::string_view key, std::string_view value) override;
  // Sends every partition its trailer. Nothing may be emitted afterwards.
  arrow::Status Finish();

 private:
  RecordSink* const sink_;
  const uint32_t map_task_;
  std::vector<uint64_t> sent_;  // by partition
  bool finished_ = false;
};

// A partition without its trailers. Reading past the last group fails unless each of the map tasks 0 … map_tasks − 1
// sent exactly one trailer and the trailers' record counts match the records that came and those that were combined with
// them, whether the reducer looked at them or not.
class TrailerCheck : public GroupStream {
 public:
  // The caller owns `groups`, which outlives this object.
  TrailerCheck(GroupStream* groups, uint32_t map_tasks);

  arrow::Result<bool> NextGroup() override;
  std::string_view key() const override { return groups_->key(); }
  arrow::Result<bool> NextValue(std::string_view* value) override;
  // Reads the records that the reducer left, up to the verdict. OK where the end was reached before and the check
  // passed.
  arrow::Status Finish();

  // Records read or skipped so far, and the size of their keys and values.
  int64_t records() const { return static_cast<int64_t>(seen_); }
  int64_t bytes() const { return static_cast<int64_t>(bytes_); }
  // How many more were sent, complete at the end: they were combined with those that came.
  int64_t combined() const { return static_cast<int64_t>(combined_); }

 private:
  arrow::Status ReadTrailers();
  arrow::Status AddTrailer(std::string_view value);
  arrow::Status Verdict() const;

  GroupStream* const groups_;
  std::vector<bool> has_trailer_;  // by map task
  uint64_t trailers_ = 0;
  uint64_t claimed_ = 0;
  uint64_t combined_ = 0;
  uint64_t seen_ = 0;
  uint64_t bytes_ = 0;
  bool in_group_ = false;
  bool at_end_ = false;
  arrow::Status failure_;
};

}  // namespace trawl
