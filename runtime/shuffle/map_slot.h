// Where one map attempt after another writes: a sort buffer and, once that is full, a spill file of its own.
//
// Records of committed attempts and of the running attempt lie in the same buffer, the latter after the former, and are
// spilled to separate segments. So an attempt's records can be kept or forgotten as a whole at any time, and a task
// that sends little costs neither a buffer nor a segment of its own. One thread at a time. Used only by the shuffle.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "runtime/shuffle/combiner.h"
#include "runtime/shuffle/memory.h"
#include "runtime/spill/file.h"
#include "runtime/spill/segment.h"
#include "runtime/spill/sort_buffer.h"

namespace trawl {

class MapSlot {
 public:
  // The folder must exist when the first record is spilled, not before. `memory`, `stop`, which may be null, and
  // `make_combiner`, which may be empty, outlive the slot; once `stop` is set, merges are Cancelled.
  MapSlot(const ShuffleMemory* memory, std::string temp_folder, const std::atomic<bool>* stop,
          const MakeCombiner* make_combiner)
      : memory_(*memory), temp_folder_(std::move(temp_folder)), stop_(stop), make_combiner_(*make_combiner) {}

  // Adds a record to the running attempt. REQUIRES: its packed size is at most max_record_bytes; no failure since the
  // attempt began.
  arrow::Status Add(int partition, std::string_view key, std::string_view value);
  // Keep or forget the attempt's records; the next Add begins another attempt. Neither can fail.
  void Commit();
  void Abort();

  // REQUIRES for all functions from here on: no attempt is running. Sorts the records in memory and frees the unused
  // memory.
  void SortRest();
  // Moves the records in memory to the spill file and frees the memory.
  arrow::Status SpillRest();
  // Bytes taken by sorted records in memory.
  size_t resident_bytes() const { return buffer_ == nullptr ? 0 : buffer_->used_bytes(); }
  // The records in memory. REQUIRES: SortRest or SpillRest was called last.
  std::span<const SortEntry> resident() const { return resident_; }
  const std::vector<SpillSegment>& segments() const { return committed_; }
  // The file to merge to; null where the slot never spilled.
  SpillFile* file() { return file_.get(); }

  int64_t spills() const { return spills_; }
  int64_t spilled_bytes() const { return spilled_bytes_; }
  int64_t merges() const { return merges_; }
  int64_t combined() const { return combined_; }

 private:
  arrow::Status Spill();
  arrow::Status SpillRecords(size_t first, size_t last, std::vector<SpillSegment>* segments);
  arrow::Result<SpillSegment> WriteSegment(std::span<const SortEntry> entries);
  arrow::Status WriteCombined(std::span<const SortEntry> entries);
  arrow::Status ShrinkIfMany(std::vector<SpillSegment>* segments);

  const ShuffleMemory& memory_;
  const std::string temp_folder_;
  const std::atomic<bool>* const stop_;
  const MakeCombiner& make_combiner_;
  std::unique_ptr<Combiner> combiner_;  // made by the first spill; null where the job has none
  std::unique_ptr<SortBuffer> buffer_;
  std::unique_ptr<SpillFile> file_;
  std::unique_ptr<SpillSegmentWriter> writer_;
  SortBuffer::Mark committed_mark_;  // records before it belong to committed attempts
  std::vector<SpillSegment> committed_;
  std::vector<SpillSegment> attempt_;
  std::span<const SortEntry> resident_;
  int64_t spills_ = 0;
  int64_t spilled_bytes_ = 0;
  int64_t merges_ = 0;
  int64_t combined_ = 0;  // records less
};

}  // namespace trawl
