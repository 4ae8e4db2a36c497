#include "runtime/blocks/stream.h"

#include <algorithm>
#include <utility>

#include "runtime/spill/packed_record.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kLabelBytes = sizeof(PartitionLabel);

FrameLimits LimitsOfBlocks() {
  FrameLimits limits;
  limits.value_bytes = kRecordBlockHeadBytes + kMaxRecordBlockBytes;
  return limits;
}

}  // namespace

// A block before compression, and the place in it.
class BlockGroupStream::OpenBlock {
 public:
  explicit OpenBlock(const RecordBlockHead& head)
      : head_(head), bytes_(std::make_unique_for_overwrite<char[]>(head.size_bytes)), at_(bytes_.get()) {}

  char* bytes() { return bytes_.get(); }
  const RecordBlockHead& head() const { return head_; }
  const PackedRecord& record() const { return record_; }

  // Goes to the next record; false after the last one.
  Result<bool> Next() {
    const char* const end = bytes_.get() + head_.size_bytes;
    if (read_ == head_.records) return at_ == end ? Result<bool>(false) : Broken("has bytes after its records");
    PackedRecord next;
    if (!UnpackHeader(at_, end, &next) || next.size() > static_cast<size_t>(end - at_)) {
      return Broken("ends within a record");
    }
    if (read_ > 0 && next.key() < record_.key()) return Broken("is not sorted");
    record_ = next;
    at_ += next.size();
    ++read_;
    return true;
  }

 private:
  Status Broken(const char* how) const { return Status::Invalid(head_.Name(), " ", how); }

  const RecordBlockHead head_;
  const std::unique_ptr<char[]> bytes_;
  const char* at_;
  uint32_t read_ = 0;
  PackedRecord record_;
};

Result<std::unique_ptr<BlockGroupStream>> BlockGroupStream::Make(ByteSource* source,
                                                                 const BlockStreamOptions& options) {
  ARROW_ASSIGN_OR_RAISE(auto decoder, RecordBlockDecoder::Make());
  return std::unique_ptr<BlockGroupStream>(new BlockGroupStream(source, options, std::move(decoder)));
}

BlockGroupStream::BlockGroupStream(ByteSource* source, const BlockStreamOptions& options,
                                   std::unique_ptr<RecordBlockDecoder> decoder)
    : reader_(source, LimitsOfBlocks()), options_(options), decoder_(std::move(decoder)), ledger_(options.map_tasks) {}

BlockGroupStream::~BlockGroupStream() = default;

// Records of one key come before the block that begins with it: what is open is read to its end first.
bool BlockGroupStream::Less(const Head& a, const Head& b) {
  if (a.prefix != b.prefix) return a.prefix < b.prefix;
  if (const int order = a.key.compare(b.key); order != 0) return order < 0;
  if (a.block == nullptr || b.block == nullptr) return a.block != nullptr;
  return a.block->head().map_task < b.block->head().map_task;
}

void BlockGroupStream::SiftUp(size_t at) {
  for (size_t parent = (at - 1) / 2; at > 0 && Less(heap_[at], heap_[parent]); parent = (at - 1) / 2) {
    std::swap(heap_[at], heap_[parent]);
    at = parent;
  }
}

void BlockGroupStream::SiftDown() {
  for (size_t at = 0;;) {
    size_t least = 2 * at + 1;
    if (least >= heap_.size()) return;
    if (least + 1 < heap_.size() && Less(heap_[least + 1], heap_[least])) ++least;
    if (!Less(heap_[least], heap_[at])) return;
    std::swap(heap_[at], heap_[least]);
    at = least;
  }
}

Status BlockGroupStream::At(const Status& status) const {
  return status.ok() ? status : status.WithMessage("the frame at byte ", frame_offset_, ": ", status.message());
}

// Reads the next frame into the heap; nothing at the end.
Status BlockGroupStream::ReadFrame(std::string_view previous_key) {
  frame_offset_ = reader_.offset();
  ARROW_ASSIGN_OR_RAISE(const bool more, reader_.Next(&frame_));
  if (!more) return Status::OK();
  ARROW_RETURN_NOT_OK(At(CheckFrame(frame_, previous_key)));
  const std::string_view key = frame_.key.substr(kLabelBytes);
  heap_.push_back({.prefix = KeyBytes(key, 0), .key = key, .block = nullptr});
  SiftUp(heap_.size() - 1);
  return Status::OK();
}

Status BlockGroupStream::CheckFrame(const Frame& frame, std::string_view previous_key) {
  if (frame.key.size() < kLabelBytes) {
    return Status::Invalid("a key of ", frame.key.size(), " bytes, without a label");
  }
  if (label_.empty()) label_.assign(frame.key.substr(0, kLabelBytes));
  if (!frame.key.starts_with(label_)) return Status::Invalid("it is of another partition");
  if (frame.key.substr(kLabelBytes) < previous_key) return Status::Invalid("the keys do not ascend");
  return Status::OK();
}

// Blocks are cut so that as many as can be open fit. A block of one record is read at once, however large it is.
Status BlockGroupStream::CheckWindow(const RecordBlockHead& head) const {
  if (head.records <= 1 || open_bytes_ + head.size_bytes <= options_.window_bytes) return Status::OK();
  return Status::CapacityError(head.Name(), " has ", head.size_bytes, " bytes, and ", heap_.size() - 1,
                               " open blocks have ", open_bytes_, " of the ", options_.window_bytes,
                               " bytes that the task has for them: raise --streaming.task_memory");
}

// Opens the block at the top, whose frame was read, and reads the next frame.
Status BlockGroupStream::OpenNext() {
  ARROW_ASSIGN_OR_RAISE(const RecordBlockHead head, RecordBlockDecoder::Check(frame_.key, frame_.value));
  ARROW_RETURN_NOT_OK(ledger_.Add(head));
  ARROW_RETURN_NOT_OK(CheckWindow(head));
  auto block = std::make_unique<OpenBlock>(head);
  ARROW_RETURN_NOT_OK(decoder_->Unpack(head, frame_.value, block->bytes()));
  ARROW_ASSIGN_OR_RAISE(const bool has_record, block->Next());
  if (!has_record || block->record().key() != frame_.key.substr(kLabelBytes)) {
    return Status::Invalid(head.Name(), " does not begin with its key");
  }
  ++blocks_;
  open_bytes_ += head.size_bytes;
  peak_bytes_ = std::max(peak_bytes_, open_bytes_);
  // The key is that of the frame, so the place in the heap is right; the next frame comes after it.
  Head& top = heap_.front();
  top.key = block->record().key();
  top.block = std::move(block);
  peak_open_blocks_ = std::max(peak_open_blocks_, static_cast<int64_t>(heap_.size()));
  return Status::OK();
}

// Leaves the record at the top.
Status BlockGroupStream::Advance() {
  Head& top = heap_.front();
  ARROW_ASSIGN_OR_RAISE(const bool more, top.block->Next());
  if (more) {
    top.key = top.block->record().key();
    top.prefix = KeyBytes(top.key, 0);
  } else {
    open_bytes_ -= top.block->head().size_bytes;
    std::swap(heap_.front(), heap_.back());
    heap_.pop_back();
  }
  SiftDown();
  return Status::OK();
}

// Brings the next record to the top; false at the end.
Result<bool> BlockGroupStream::Step() {
  if (!started_) {
    started_ = true;
    ARROW_RETURN_NOT_OK(ReadFrame(""));
  }
  if (std::exchange(has_record_, false)) ARROW_RETURN_NOT_OK(Advance());
  if (heap_.empty()) {
    ARROW_RETURN_NOT_OK(ledger_.Finish());
    return false;
  }
  if (heap_.front().block == nullptr) {
    ARROW_RETURN_NOT_OK(At(OpenNext()));
    ARROW_RETURN_NOT_OK(ReadFrame(heap_.front().key));
  }
  has_record_ = true;
  return true;
}

Result<bool> BlockGroupStream::NextRecord(std::string_view* record_key, std::string_view* value) {
  ARROW_RETURN_NOT_OK(failure_);
  const Result<bool> more = Step();
  failure_ = more.status();
  if (!more.ok() || !*more) return more;
  const PackedRecord& record = heap_.front().block->record();
  *record_key = record.key();
  *value = record.value();
  return true;
}

}  // namespace trawl
