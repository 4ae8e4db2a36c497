#include "runtime/shuffle/map_slot.h"

#include <utility>

#include "runtime/shuffle/combined_records.h"
#include "runtime/spill/merge.h"
#include "runtime/spill/spill_merge.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Status MapSlot::Add(int partition, std::string_view key, std::string_view value) {
  if (buffer_ == nullptr) {
    ARROW_ASSIGN_OR_RAISE(buffer_, SortBuffer::Make(memory_.sort_bytes));
  }
  if (buffer_->Append(partition, key, value)) return Status::OK();
  ARROW_RETURN_NOT_OK(Spill());
  if (buffer_->Append(partition, key, value)) return Status::OK();
  return Status::CapacityError("a record of ", PackedSize(key, value), " bytes does not fit into an empty sort buffer");
}

void MapSlot::Commit() {
  committed_.insert(committed_.end(), attempt_.begin(), attempt_.end());
  attempt_.clear();
  if (buffer_ != nullptr) committed_mark_ = buffer_->mark();
}

void MapSlot::Abort() {
  for (const SpillSegment& segment : attempt_) file_->Discard(segment.begin, segment.bytes());
  attempt_.clear();
  if (buffer_ != nullptr) buffer_->RollBack(committed_mark_);
}

Result<SpillSegment> MapSlot::WriteSegment(std::span<const SortEntry> entries) {
  writer_->Begin(file_.get());
  if (combiner_ != nullptr) {
    ARROW_RETURN_NOT_OK(WriteCombined(entries));
    return writer_->Finish();
  }
  for (size_t at = 0; at < entries.size(); ++at) {
    PrefetchRecord(entries, at);
    ARROW_RETURN_NOT_OK(writer_->Add(PartitionOf(entries[at]), UnpackRecord(entries[at].record)));
  }
  return writer_->Finish();
}

Status MapSlot::WriteCombined(std::span<const SortEntry> entries) {
  while (!entries.empty()) {
    const int partition = PartitionOf(entries.front());
    const auto of_partition = EntriesOfPartition(entries, partition);
    CombinedRecords records(std::make_unique<IndexedRecords>(of_partition), combiner_.get(), &combined_);
    for (PackedRecord record;;) {
      ARROW_ASSIGN_OR_RAISE(const bool more, records.Next(&record));
      if (!more) break;
      ARROW_RETURN_NOT_OK(writer_->Add(partition, record));
    }
    entries = entries.subspan(of_partition.size());
  }
  return Status::OK();
}

Status MapSlot::SpillRecords(size_t first, size_t last, std::vector<SpillSegment>* segments) {
  if (first == last) return Status::OK();
  const int64_t file_size = file_->size();
  const Result<SpillSegment> segment = WriteSegment(buffer_->Sort(first, last));
  if (!segment.ok()) {
    file_->Truncate(file_size);
    return segment.status();
  }
  segments->push_back(*segment);
  ++spills_;
  spilled_bytes_ += segment->bytes();
  return Status::OK();
}

Status MapSlot::Spill() {
  if (file_ == nullptr) {
    ARROW_ASSIGN_OR_RAISE(file_, SpillFile::Make(temp_folder_));
  }
  if (writer_ == nullptr) {
    ARROW_ASSIGN_OR_RAISE(writer_, SpillSegmentWriter::Make(memory_.format));
  }
  if (combiner_ == nullptr && make_combiner_) combiner_ = make_combiner_();
  // Where this fails the committed records are still in the buffer, and only the attempt is lost.
  ARROW_RETURN_NOT_OK(SpillRecords(0, committed_mark_.records, &committed_));
  const Status attempt_spilled = SpillRecords(committed_mark_.records, buffer_->records(), &attempt_);
  buffer_->Clear();
  committed_mark_ = buffer_->mark();
  ARROW_RETURN_NOT_OK(attempt_spilled);
  ARROW_RETURN_NOT_OK(ShrinkIfMany(&committed_));
  return ShrinkIfMany(&attempt_);
}

Status MapSlot::ShrinkIfMany(std::vector<SpillSegment>* segments) {
  if (ReadingBytes(*segments, memory_.format) <= memory_.slot_merge_bytes) return Status::OK();
  buffer_->ReleaseUnused();
  const SpillMerge merge{memory_.format, memory_.slot_merge_bytes,
                         file_.get(),    writer_.get(),
                         stop_,          CombinesRecords(combiner_.get(), &combined_)};
  // Half, so that there is room for many more segments before the next merge.
  ARROW_ASSIGN_OR_RAISE(const int merges, ShrinkSegments(merge, memory_.slot_merge_bytes / 2, segments));
  merges_ += merges;
  return Status::OK();
}

void MapSlot::SortRest() {
  writer_.reset();
  if (buffer_ == nullptr) return;
  resident_ = buffer_->Sort(0, buffer_->records());
  buffer_->ReleaseUnused();
}

Status MapSlot::SpillRest() {
  if (buffer_ != nullptr) ARROW_RETURN_NOT_OK(Spill());
  resident_ = {};
  buffer_.reset();
  writer_.reset();
  return Status::OK();
}

}  // namespace trawl
