#include "runtime/spill/segment.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "formats/digests/digest.h"
#include "runtime/spill/file.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Result<std::unique_ptr<SpillSegmentWriter>> SpillSegmentWriter::Make(const SpillSegmentFormat& format) {
  ARROW_ASSIGN_OR_RAISE(auto blocks, BlockWriter::Make(format.codec, format.block_bytes));
  return std::unique_ptr<SpillSegmentWriter>(new SpillSegmentWriter(std::move(blocks), format.partitions));
}

size_t SpillSegmentWriter::MemoryBytes(const SpillSegmentFormat& format) {
  return 2 * (format.block_bytes + BlockSlack(format.block_bytes)) +
         static_cast<size_t>(format.partitions) * sizeof(IndexEntry) + sizeof(SpillSegmentWriter);
}

SpillSegmentWriter::SpillSegmentWriter(std::unique_ptr<BlockWriter> blocks, int partitions)
    : blocks_(std::move(blocks)), index_(static_cast<size_t>(partitions)) {}

uint64_t SpillSegmentWriter::CheckOf(int64_t offset, int partition, int64_t index_offset) {
  const int64_t values[] = {offset, partition, index_offset};
  return Hash64({reinterpret_cast<const char*>(values), sizeof values});
}

void SpillSegmentWriter::Begin(SpillFile* file) {
  blocks_->Reset();
  std::fill(index_.begin(), index_.end(), IndexEntry{-1, 0});
  segment_ = SpillSegment{.file = file, .begin = file->size()};
  partition_ = -1;
}

Status SpillSegmentWriter::Add(int partition, const PackedRecord& record) {
  if (partition != partition_) {
    ARROW_RETURN_NOT_OK(blocks_->EndSequence(segment_.file));
    index_[static_cast<size_t>(partition)].offset = segment_.file->size();
    partition_ = partition;
  }
  segment_.largest_record = std::max(segment_.largest_record, record.size());
  return blocks_->Add(record.bytes(), segment_.file);
}

Result<SpillSegment> SpillSegmentWriter::Finish() {
  ARROW_RETURN_NOT_OK(blocks_->EndSequence(segment_.file));
  segment_.index_offset = segment_.file->size();
  for (size_t partition = 0; partition < index_.size(); ++partition) {
    IndexEntry& entry = index_[partition];
    entry.check = CheckOf(entry.offset, static_cast<int>(partition), segment_.index_offset);
  }
  ARROW_RETURN_NOT_OK(
      segment_.file->Append({reinterpret_cast<const char*>(index_.data()), index_.size() * sizeof(IndexEntry)}));
  segment_.end = segment_.file->size();
  return segment_;
}

Result<std::unique_ptr<SpillSegmentReader>> SpillSegmentReader::Open(const SpillSegment& segment, int partition,
                                                                     size_t block_bytes,
                                                                     BlockReader::Decoder* decoder) {
  SpillSegmentWriter::IndexEntry entry;
  const int64_t at = segment.index_offset + partition * static_cast<int64_t>(sizeof entry);
  ARROW_RETURN_NOT_OK(segment.file->ReadAt(at, reinterpret_cast<char*>(&entry), sizeof entry));
  if (entry.check != SpillSegmentWriter::CheckOf(entry.offset, partition, segment.index_offset)) {
    return segment.file->Damage(at, "an index is damaged: its checksum does not fit");
  }
  return std::unique_ptr<SpillSegmentReader>(new SpillSegmentReader(segment.file, entry.offset, block_bytes, decoder));
}

size_t SpillSegmentReader::MemoryBytes(const SpillSegment& segment, size_t block_bytes) {
  // A record larger than a block is gathered from whole blocks, beside its first block.
  const size_t buffer = segment.largest_record > block_bytes ? segment.largest_record + 2 * block_bytes : block_bytes;
  constexpr size_t kMergeNode = 128;
  return buffer + sizeof(SpillSegmentReader) + kMergeNode;
}

SpillSegmentReader::SpillSegmentReader(const SpillFile* file, int64_t offset, size_t block_bytes,
                                       BlockReader::Decoder* decoder)
    : file_(file), offset_(offset), block_bytes_(block_bytes), blocks_(file, decoder, offset, block_bytes) {}

Status SpillSegmentReader::LoadBlock() {
  at_ = 0;
  if (buffer_.size() != block_bytes_) std::vector<char>(block_bytes_).swap(buffer_);
  ARROW_ASSIGN_OR_RAISE(filled_, blocks_.Read(buffer_.data()));
  return Status::OK();
}

Result<bool> SpillSegmentReader::Next(PackedRecord* record) {
  if (at_ == filled_) {
    if (offset_ < 0 || blocks_.at_end()) return false;
    ARROW_RETURN_NOT_OK(LoadBlock());
  }
  if (!UnpackHeader(buffer_.data() + at_, buffer_.data() + filled_, record)) {
    return file_->Damage(offset_, "a block of what begins here holds half a record");
  }
  if (record->size() > filled_ - at_) ARROW_RETURN_NOT_OK(LoadRest(record));
  at_ += record->size();
  return true;
}

// Gathers a record that takes more than one block; such a record begins its block.
Status SpillSegmentReader::LoadRest(PackedRecord* record) {
  std::vector<char> whole(record->size() + block_bytes_);
  std::memcpy(whole.data(), buffer_.data(), filled_);
  buffer_.swap(whole);
  std::vector<char>().swap(whole);
  while (filled_ < record->size()) {
    if (blocks_.at_end() || at_ != 0) return file_->Damage(offset_, "what begins here ends early");
    ARROW_ASSIGN_OR_RAISE(const size_t size, blocks_.Read(buffer_.data() + filled_));
    filled_ += size;
  }
  record->data = buffer_.data();
  return Status::OK();
}

}  // namespace trawl
