#include "formats/hadoop/frame.h"

#include <algorithm>
#include <cstring>

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kSizeBytes = 4;
// The capacity of a pipe.
constexpr size_t kBufferBytes = 64 << 10;
// Java's sizes are signed.
constexpr size_t kMaxSize = 0x7FFFFFFF;

}  // namespace

FrameReader::FrameReader(ByteSource* source, const FrameLimits& limits)
    : source_(source), limits_(limits), buffer_(kBufferBytes) {}

// Makes room in the buffer for `bytes` of the current frame: moves the frame to the front, or doubles the buffer.
void FrameReader::MakeRoom(size_t bytes) {
  if (begin_ + bytes <= buffer_.size()) return;
  if (begin_ > 0) std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
}

// Reads until `bytes` of the current frame are there; false where the source ends before.
Result<bool> FrameReader::Have(size_t bytes) {
  while (end_ - begin_ < bytes) {
    MakeRoom(bytes);
    ARROW_ASSIGN_OR_RAISE(const size_t count, source_->Read(buffer_.data() + end_, buffer_.size() - end_));
    if (count == 0) return false;
    end_ += count;
  }
  return true;
}

Status FrameReader::CutOff() const {
  return Status::Invalid("the frame at byte ", offset_, " is cut off after ", end_ - begin_, " bytes");
}

Result<size_t> FrameReader::SizeAt(size_t at, size_t limit, const char* what) {
  ARROW_ASSIGN_OR_RAISE(const bool here, Have(at + kSizeBytes));
  if (!here) return CutOff();
  const auto* bytes = reinterpret_cast<const uint8_t*>(buffer_.data() + begin_ + at);
  const size_t size = size_t{bytes[0]} << 24 | size_t{bytes[1]} << 16 | size_t{bytes[2]} << 8 | bytes[3];
  if (size > limit) {
    return Status::Invalid("the frame at byte ", offset_, " claims a ", what, " of ", size, " bytes where ", limit,
                           " are allowed");
  }
  return size;
}

Result<bool> FrameReader::Next(Frame* frame) {
  if (begin_ == end_) {
    begin_ = end_ = 0;
    // The buffer of a giant frame is not kept.
    if (buffer_.size() > kBufferBytes) std::vector<char>(kBufferBytes).swap(buffer_);
    ARROW_ASSIGN_OR_RAISE(const bool more, Have(1));
    if (!more) return false;
  }
  ARROW_ASSIGN_OR_RAISE(const size_t key_size, SizeAt(0, limits_.key_bytes, "key"));
  ARROW_ASSIGN_OR_RAISE(const size_t value_size, SizeAt(kSizeBytes + key_size, limits_.value_bytes, "value"));
  const size_t whole = 2 * kSizeBytes + key_size + value_size;
  ARROW_ASSIGN_OR_RAISE(const bool here, Have(whole));
  if (!here) return CutOff();
  const char* key = buffer_.data() + begin_ + kSizeBytes;
  *frame = {{key, key_size}, {key + key_size + kSizeBytes, value_size}};
  begin_ += whole;
  offset_ += static_cast<int64_t>(whole);
  return true;
}

FrameWriter::FrameWriter(ByteSink* sink) : sink_(sink), buffer_(kBufferBytes) {}

Status FrameWriter::Flush() {
  const std::string_view bytes(buffer_.data(), filled_);
  filled_ = 0;
  return bytes.empty() ? Status::OK() : sink_->Write(bytes);
}

Status FrameWriter::Put(std::string_view bytes) {
  if (bytes.size() > buffer_.size() - filled_) {
    ARROW_RETURN_NOT_OK(Flush());
    if (bytes.size() > buffer_.size()) return sink_->Write(bytes);
  }
  std::copy(bytes.begin(), bytes.end(), buffer_.begin() + static_cast<ptrdiff_t>(filled_));
  filled_ += bytes.size();
  return Status::OK();
}

Status FrameWriter::PutSize(size_t size) {
  const char bytes[kSizeBytes] = {static_cast<char>(size >> 24), static_cast<char>(size >> 16),
                                  static_cast<char>(size >> 8), static_cast<char>(size)};
  return Put({bytes, sizeof bytes});
}

Status FrameWriter::Write(std::string_view key_head, std::string_view key_tail, std::string_view value) {
  const size_t key_size = key_head.size() + key_tail.size();
  if (key_size > kMaxSize || value.size() > kMaxSize) {
    return Status::CapacityError("a frame with a key of ", key_size, " and a value of ", value.size(), " bytes");
  }
  ARROW_RETURN_NOT_OK(PutSize(key_size));
  ARROW_RETURN_NOT_OK(Put(key_head));
  ARROW_RETURN_NOT_OK(Put(key_tail));
  ARROW_RETURN_NOT_OK(PutSize(value.size()));
  return Put(value);
}

PartitionLabel LabelOf(int partition, int partitions) {
  constexpr int kLargestByte = 127;  // Java's bytes are signed: from 128 on the hash would go down
  const int remainder = ((partition - 961) % partitions + partitions) % partitions;
  const int high = std::min(remainder / 31, kLargestByte);
  return {static_cast<char>(high), static_cast<char>(remainder - 31 * high)};
}

}  // namespace trawl
