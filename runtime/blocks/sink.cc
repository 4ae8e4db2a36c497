#include "runtime/blocks/sink.h"

#include <utility>

#include "runtime/spill/packed_record.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Result<std::unique_ptr<BlockSink>> BlockSink::Make(ByteSink* sink, const BlockSinkOptions& options) {
  ARROW_ASSIGN_OR_RAISE(auto encoder, RecordBlockEncoder::Make());
  std::unique_ptr<BlockSink> blocks(new BlockSink(sink, options, std::move(encoder)));
  ShuffleOptions shuffle;
  shuffle.shape.partitions = options.partitions;
  shuffle.memory_bytes = options.sort_bytes;
  shuffle.temp_folder = options.temp_folder;
  shuffle.combiner = options.combiner;
  shuffle.combines_reading = true;
  ARROW_ASSIGN_OR_RAISE(blocks->shuffle_, Shuffle::Make(shuffle));
  ARROW_ASSIGN_OR_RAISE(blocks->records_, blocks->shuffle_->StartMap());
  return blocks;
}

BlockSink::BlockSink(ByteSink* sink, const BlockSinkOptions& options, std::unique_ptr<RecordBlockEncoder> encoder)
    : options_(options), frames_(sink), encoder_(std::move(encoder)) {}

Status BlockSink::Emit(int partition, std::string_view key, std::string_view value) {
  if (records_ == nullptr) return Status::Invalid("a record after the last block");
  if (key.size() + value.size() + kMaxPackedHeader > kMaxRecordBlockBytes) {
    return Status::CapacityError("a record with a key of ", key.size(), " and a value of ", value.size(),
                                 " bytes: at most ", kMaxRecordBlockBytes - kMaxPackedHeader, " bytes can be sent");
  }
  return records_->Emit(partition, key, value);
}

Status BlockSink::Finish() {
  if (records_ == nullptr) return Status::Invalid("a map task ends twice");
  const auto records = std::exchange(records_, nullptr);
  ARROW_RETURN_NOT_OK(records->Commit());
  ARROW_RETURN_NOT_OK(shuffle_->Seal());
  for (int partition = 0; partition < options_.partitions; ++partition) {
    ARROW_ASSIGN_OR_RAISE(const auto groups, shuffle_->OpenPartition(partition));
    ARROW_RETURN_NOT_OK(SendPartition(partition, groups.get()));
  }
  return frames_.Flush();
}

Status BlockSink::SendPartition(int partition, GroupStream* groups) {
  const PartitionLabel label = LabelOf(partition, options_.partitions);
  frame_key_.assign(label.data(), label.size());
  head_ = {.map_task = options_.map_task, .attempt = options_.attempt};
  for (;;) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups->NextGroup());
    if (!more) break;
    for (std::string_view value;;) {
      ARROW_ASSIGN_OR_RAISE(const bool has_value, groups->NextValue(&value));
      if (!has_value) break;
      ARROW_RETURN_NOT_OK(Add(groups->key(), value));
    }
  }
  return head_.records == 0 ? Status::OK() : SendBlock(/*is_last=*/true);
}

// A record that is larger than a block gets a block of its own: such a block is read as a whole and gone before another
// is opened, so it takes no part of the window.
Status BlockSink::Add(std::string_view key, std::string_view value) {
  const size_t size = PackedSize(key, value);
  if (head_.records > 0 && block_.size() + size > static_cast<size_t>(options_.block_bytes)) {
    ARROW_RETURN_NOT_OK(SendBlock(/*is_last=*/false));
  }
  if (head_.records == 0) {
    frame_key_.resize(sizeof(PartitionLabel));
    frame_key_.append(key);
  }
  const size_t at = block_.size();
  block_.resize(at + size);
  PackRecord(key, value, block_.data() + at);
  ++head_.records;
  return Status::OK();
}

Status BlockSink::SendBlock(bool is_last) {
  head_.is_last = is_last;
  ARROW_ASSIGN_OR_RAISE(const std::string_view value, encoder_->Encode(head_, frame_key_, block_));
  ARROW_RETURN_NOT_OK(frames_.Write(frame_key_, "", value));
  ++head_.number;
  head_.records = 0;
  block_.clear();
  return Status::OK();
}

}  // namespace trawl
