// The door of runtime/spill: sorted sources merged into one by a tournament tree.
//
// A record costs one comparison per doubling of the number of sources; most comparisons read only the keys' first eight
// bytes. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "arrow/result.h"
#include "runtime/spill/key_sort.h"
#include "runtime/spill/record_source.h"

namespace trawl {

class MergedRecords : public RecordSource {
 public:
  explicit MergedRecords(std::vector<std::unique_ptr<RecordSource>> sources);

  // Records of equal keys come in the order of their sources.
  arrow::Result<bool> Next(PackedRecord* record) override;

 private:
  struct Head {
    uint64_t prefix = 0;
    PackedRecord record;
    bool at_end = false;
  };
  bool Less(size_t a, size_t b) const;
  arrow::Status Advance(size_t source);
  arrow::Status Start();
  void Replay(size_t source);

  const std::vector<std::unique_ptr<RecordSource>> sources_;
  std::vector<Head> heads_;
  std::vector<size_t> losers_;  // loser of the match at each inner node; [0] is the winner of all
  bool started_ = false;
};

// The records of sorted index entries.
class IndexedRecords : public RecordSource {
 public:
  // The caller owns the entries and the records they point to; both outlive this object.
  explicit IndexedRecords(std::span<const SortEntry> entries) : entries_(entries) {}

  arrow::Result<bool> Next(PackedRecord* record) override;

 private:
  const std::span<const SortEntry> entries_;
  size_t next_ = 0;
};

// Returns the part of sorted entries that belongs to a partition.
std::span<const SortEntry> EntriesOfPartition(std::span<const SortEntry> entries, int partition);

}  // namespace trawl
