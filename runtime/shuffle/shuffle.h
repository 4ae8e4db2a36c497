// The door of runtime/shuffle: map attempts send records to partitions, and reducers read each partition sorted and
// grouped by key, on one machine and within a limit of memory.
//
//   1. Make
//   2. StartMap for each map attempt, up to `map_slots` at once: Emit …, then Commit; without Commit its records are
//      dropped
//   3. Seal, once
//   4. OpenPartition for each reduce attempt, up to `reduce_slots` at once; a partition may be opened repeatedly
//
// Records wait in sort buffers; a full one is sorted and spilled in compressed, checksummed blocks to a file without a
// name, so that nothing is left behind, however the process dies. Reading merges the spilled records and those still in
// memory.
//
// Any thread may call StartMap and OpenPartition; what they return belongs to one thread at a time and does not outlive
// the shuffle.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "runtime/shuffle/combiner.h"
#include "runtime/shuffle/memory.h"
#include "runtime/shuffle/record_stream.h"

namespace trawl {

class MapSlot;
class Shuffle;

struct ShuffleOptions {
  ShuffleShape shape;
  // Everything that the shuffle holds, buffers and indexes included, but not combiners, which keep little (combiner.h).
  int64_t memory_bytes = int64_t{1} << 30;
  // The folder for spills. It must exist by the first spill.
  std::string temp_folder = "/tmp";
  // Once it is set, sending and reading are Cancelled. May be null; outlives the shuffle.
  const std::atomic<bool>* stop = nullptr;
  // Combines what is spilled; empty: nothing is. Called by any thread.
  MakeCombiner combiner = {};
  // Whether it also combines what is read, so that a partition has few records of a key: for whoever sends them on.
  bool combines_reading = false;
};

struct ShuffleStats {
  int64_t records = 0;   // committed
  int64_t bytes = 0;     // size of their keys and values
  int64_t combined = 0;  // fewer, because spilled records were combined, those of attempts that failed included
  int64_t spills = 0;
  int64_t spilled_bytes = 0;  // as stored
  int64_t merges = 0;         // merges of spills, because there were too many to read at once
};

constexpr size_t kMaxShuffleKeyBytes = 64 << 10;

// The records of one map attempt.
class ShuffleMapOutput : public RecordSink {
 public:
  ~ShuffleMapOutput() override;  // without Commit, the attempt's records vanish

  // CapacityError for a record that is too large for the memory, or a key over kMaxShuffleKeyBytes.
  arrow::Status Emit(int partition, std::string_view key, std::string_view value) override;
  // From here on the attempt's records are part of the shuffle. Fails where an Emit had failed.
  arrow::Status Commit();

 private:
  friend class Shuffle;
  ShuffleMapOutput(Shuffle* shuffle, MapSlot* slot) : shuffle_(shuffle), slot_(slot) {}
  arrow::Status Check(int partition, std::string_view key, std::string_view value) const;

  Shuffle* const shuffle_;
  MapSlot* slot_;  // null once committed
  arrow::Status failure_;
  int64_t records_ = 0;
  int64_t bytes_ = 0;
};

class Shuffle {
 public:
  static arrow::Result<std::unique_ptr<Shuffle>> Make(const ShuffleOptions& options);
  ~Shuffle();

  // Invalid where `map_slots` attempts are running already.
  arrow::Result<std::unique_ptr<ShuffleMapOutput>> StartMap();
  // Sorts the records in memory, on one thread per map slot, and merges spills where there are too many to read at
  // once. REQUIRES: every map output is committed or gone.
  arrow::Status Seal();
  // REQUIRES: sealed. Invalid where `reduce_slots` partitions are open already.
  arrow::Result<std::unique_ptr<GroupStream>> OpenPartition(int partition);

  // REQUIRES: no map attempt is running.
  ShuffleStats stats() const;

 private:
  friend class ShuffleMapOutput;
  class PartitionStream;

  Shuffle(const ShuffleOptions& options, const ShuffleMemory& memory);
  void EndMap(MapSlot* slot, int64_t records, int64_t bytes);
  void SortAll();
  arrow::Status SpillWhatCrowds();
  arrow::Status MergeTooMany();
  size_t resident_bytes() const;

  const ShuffleOptions options_;
  const ShuffleMemory memory_;
  std::vector<std::unique_ptr<MapSlot>> slots_;
  std::vector<SpillSegment> segments_;  // all segments, once sealed
  int64_t seal_merges_ = 0;
  int64_t seal_combined_ = 0;
  bool sealed_ = false;

  mutable std::mutex mutex_;  // guards the members after it
  std::vector<MapSlot*> free_slots_;
  int open_partitions_ = 0;
  int64_t records_ = 0;
  int64_t bytes_ = 0;
};

}  // namespace trawl
