#include "runtime/spill/spill_merge.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "runtime/spill/file.h"
#include "runtime/spill/merge.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

Status MergePartition(const SpillMerge& merge, std::span<const SpillSegment> inputs, int partition,
                      BlockReader::Decoder* decoder) {
  std::vector<std::unique_ptr<RecordSource>> sources;
  for (const SpillSegment& input : inputs) {
    ARROW_ASSIGN_OR_RAISE(auto reader, SpillSegmentReader::Open(input, partition, merge.format.block_bytes, decoder));
    sources.push_back(std::move(reader));
  }
  std::unique_ptr<RecordSource> merged = std::make_unique<MergedRecords>(std::move(sources));
  if (merge.wrap) merged = merge.wrap(std::move(merged));
  for (;;) {
    PackedRecord record;
    ARROW_ASSIGN_OR_RAISE(const bool more, merged->Next(&record));
    if (!more) return Status::OK();
    if (merge.stop != nullptr && merge.stop->load(std::memory_order_relaxed)) {
      return Status::Cancelled("merging spills was stopped");
    }
    ARROW_RETURN_NOT_OK(merge.writer->Add(partition, record));
  }
}

Result<SpillSegment> MergeAll(const SpillMerge& merge, std::span<const SpillSegment> inputs) {
  ARROW_ASSIGN_OR_RAISE(const auto decoder, BlockReader::Decoder::Make(merge.format.codec, merge.format.block_bytes));
  merge.writer->Begin(merge.file);
  for (int partition = 0; partition < merge.format.partitions; ++partition) {
    ARROW_RETURN_NOT_OK(MergePartition(merge, inputs, partition, decoder.get()));
  }
  return merge.writer->Finish();
}

// Returns the number of segments, from the first on, to merge: as few as bring the rest within the target, no more than
// memory allows, and at least two.
size_t CountToMerge(const SpillMerge& merge, size_t target_bytes, const std::vector<SpillSegment>& segments) {
  size_t left = ReadingBytes(segments, merge.format);
  size_t reading = 0;
  size_t largest = 0;
  size_t count = 0;
  for (const SpillSegment& segment : segments) {
    const size_t bytes = SpillSegmentReader::MemoryBytes(segment, merge.format.block_bytes);
    if (count >= 2 && (reading + bytes > merge.memory_bytes || left + largest <= target_bytes)) break;
    reading += bytes;
    left -= bytes;
    largest = std::max(largest, bytes);  // the bytes that the merged segment will take
    ++count;
  }
  return count;
}

}  // namespace

size_t ReadingBytes(const std::vector<SpillSegment>& segments, const SpillSegmentFormat& format) {
  size_t bytes = 0;
  for (const SpillSegment& segment : segments) bytes += SpillSegmentReader::MemoryBytes(segment, format.block_bytes);
  return bytes;
}

Result<int> ShrinkSegments(const SpillMerge& merge, size_t target_bytes, std::vector<SpillSegment>* segments) {
  int merges = 0;
  for (; segments->size() > 1 && ReadingBytes(*segments, merge.format) > target_bytes; ++merges) {
    const int64_t file_size = merge.file->size();
    std::sort(segments->begin(), segments->end(),
              [](const SpillSegment& a, const SpillSegment& b) { return a.bytes() < b.bytes(); });
    const auto merged = static_cast<ptrdiff_t>(CountToMerge(merge, target_bytes, *segments));
    const std::span<const SpillSegment> inputs(segments->data(), static_cast<size_t>(merged));
    const Result<SpillSegment> output = MergeAll(merge, inputs);
    if (!output.ok()) {
      merge.file->Truncate(file_size);
      return output.status();
    }
    for (const SpillSegment& input : inputs) input.file->Discard(input.begin, input.bytes());
    segments->erase(segments->begin(), segments->begin() + merged);
    segments->push_back(*output);
  }
  return merges;
}

}  // namespace trawl
