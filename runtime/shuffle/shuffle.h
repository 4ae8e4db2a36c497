// The shuffle of one machine: map attempts send records to partitions, reducers read each partition sorted and grouped
// by key, all within a limit of memory.
//
//   1. Make
//   2. StartMap for each map attempt, up to `map_slots` at once: Emit …, then Commit, or drop it and its records are
//   gone
//   3. Seal, once
//   4. OpenPartition for each reduce attempt, up to `reduce_slots` at once; a partition may be opened any number of
//   times
//
// Records wait in sort buffers; a full one is sorted and spilled in compressed, checksummed blocks to a file without a
// name, so that nothing is left behind by whatever death. Reading merges what was spilled and what still fits in
// memory.
//
// StartMap and OpenPartition may be called from any thread; what they return belongs to one thread at a time and does
// not outlive the shuffle.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "runtime/shuffle/memory.h"
#include "runtime/shuffle/record_stream.h"

namespace trawl {

class MapSlot;
class Shuffle;

struct ShuffleOptions {
  ShuffleShape shape;
  // All that the shuffle holds, buffers and indexes included.
  int64_t memory_bytes = int64_t{1} << 30;
  // Where spills go. Must exist by the first spill.
  std::string temp_folder = "/tmp";
  // Once it is set, sending and reading are Cancelled. May be null; outlives the shuffle.
  const std::atomic<bool>* stop = nullptr;
};

struct ShuffleStats {
  int64_t records = 0;  // committed
  int64_t bytes = 0;    // of their keys and values
  int64_t spills = 0;
  int64_t spilled_bytes = 0;  // as stored
  int64_t merges = 0;         // of spills, because they were too many to be read at once
};

constexpr size_t kMaxShuffleKeyBytes = 64 << 10;

// The records of one map attempt.
class ShuffleMapOutput : public RecordSink {
 public:
  ~ShuffleMapOutput() override;  // without Commit: the attempt's records vanish

  // CapacityError for a record that is too large for the memory, or a key over kMaxShuffleKeyBytes.
  arrow::Status Emit(int partition, std::string_view key, std::string_view value) override;
  // The attempt's records are part of the shuffle from here on. Fails where an Emit had failed.
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

  // Invalid where `map_slots` attempts are at work already.
  arrow::Result<std::unique_ptr<ShuffleMapOutput>> StartMap();
  // Sorts what is in memory, on as many threads as there are map slots, and merges spills where they are too many to be
  // read at once. REQUIRES: every map output is committed or gone.
  arrow::Status Seal();
  // REQUIRES: sealed. Invalid where `reduce_slots` partitions are open already.
  arrow::Result<std::unique_ptr<GroupStream>> OpenPartition(int partition);

  // REQUIRES: no map attempt is at work.
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
  std::vector<SpillSegment> segments_;  // all, once sealed
  int64_t seal_merges_ = 0;
  bool sealed_ = false;

  mutable std::mutex mutex_;  // guards what follows
  std::vector<MapSlot*> free_slots_;
  int open_partitions_ = 0;
  int64_t records_ = 0;
  int64_t bytes_ = 0;
};

}  // namespace trawl
