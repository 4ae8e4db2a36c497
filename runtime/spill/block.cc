#include "runtime/spill/block.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "arrow/util/compression.h"
#include "formats/digests/digest.h"
#include "runtime/spill/file.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr uint32_t kLastBlock = 1U << 31;
constexpr size_t kChecksumBytes = 8;

struct Header {
  uint64_t checksum;
  uint32_t raw_size_and_last;
  uint32_t stored_size;
};
static_assert(sizeof(Header) == kBlockHeaderBytes);

uint64_t Checksum(std::string_view block, int64_t offset) {
  return Hash64(block.substr(kChecksumBytes)) ^ (static_cast<uint64_t>(offset) + 1) * 0x9E3779B97F4A7C15;
}

Result<std::unique_ptr<arrow::util::Codec>> MakeCodec(SpillCodec codec) {
  switch (codec) {
    case SpillCodec::kNone:
      return nullptr;
    case SpillCodec::kLz4:
      return arrow::util::Codec::Create(arrow::Compression::LZ4);
    case SpillCodec::kZstd:
      return arrow::util::Codec::Create(arrow::Compression::ZSTD, 1);
  }
  return Status::Invalid("no such spill codec");
}

uint8_t* Bytes(char* data) { return reinterpret_cast<uint8_t*>(data); }

}  // namespace

Result<std::unique_ptr<BlockWriter>> BlockWriter::Make(SpillCodec codec, size_t block_bytes) {
  ARROW_ASSIGN_OR_RAISE(std::unique_ptr<arrow::util::Codec> made, MakeCodec(codec));
  return std::unique_ptr<BlockWriter>(new BlockWriter(std::move(made), block_bytes));
}

BlockWriter::BlockWriter(std::unique_ptr<arrow::util::Codec> codec, size_t block_bytes)
    : codec_(std::move(codec)),
      block_bytes_(block_bytes),
      block_(kBlockHeaderBytes + block_bytes),
      compressed_(codec_ == nullptr ? 0 : block_bytes + BlockSlack(block_bytes)) {}

BlockWriter::~BlockWriter() = default;

Status BlockWriter::Add(std::string_view record, SpillFile* file) {
  if (record.size() > block_bytes_ - filled_ && filled_ > 0) ARROW_RETURN_NOT_OK(Flush(/*is_last=*/false, file));
  for (;;) {
    const size_t part = std::min(record.size(), block_bytes_ - filled_);
    std::memcpy(block_.data() + kBlockHeaderBytes + filled_, record.data(), part);
    filled_ += part;
    record.remove_prefix(part);
    if (record.empty()) return Status::OK();
    ARROW_RETURN_NOT_OK(Flush(/*is_last=*/false, file));
  }
}

Status BlockWriter::EndSequence(SpillFile* file) { return filled_ == 0 ? Status::OK() : Flush(/*is_last=*/true, file); }

Status BlockWriter::Flush(bool is_last, SpillFile* file) {
  const size_t raw_size = filled_;
  filled_ = 0;
  std::vector<char>* out = &block_;
  size_t stored_size = raw_size;
  if (codec_ != nullptr) {
    const auto room = static_cast<int64_t>(compressed_.size() - kBlockHeaderBytes);
    ARROW_ASSIGN_OR_RAISE(const int64_t size,
                          codec_->Compress(static_cast<int64_t>(raw_size), Bytes(block_.data() + kBlockHeaderBytes),
                                           room, Bytes(compressed_.data() + kBlockHeaderBytes)));
    // Saving less than a sixteenth does not pay for decompressing.
    if (static_cast<size_t>(size) < raw_size - raw_size / 16) {
      stored_size = static_cast<size_t>(size);
      out = &compressed_;
    }
  }
  Header header{0, static_cast<uint32_t>(raw_size) | (is_last ? kLastBlock : 0), static_cast<uint32_t>(stored_size)};
  std::memcpy(out->data(), &header, sizeof header);
  const std::string_view block(out->data(), kBlockHeaderBytes + stored_size);
  header.checksum = Checksum(block, file->size());
  std::memcpy(out->data(), &header, sizeof header);
  return file->Append(block);
}

Result<std::unique_ptr<BlockReader::Decoder>> BlockReader::Decoder::Make(SpillCodec codec, size_t block_bytes) {
  ARROW_ASSIGN_OR_RAISE(std::unique_ptr<arrow::util::Codec> made, MakeCodec(codec));
  return std::unique_ptr<Decoder>(new Decoder(std::move(made), block_bytes));
}

BlockReader::Decoder::Decoder(std::unique_ptr<arrow::util::Codec> codec, size_t block_bytes)
    : codec_(std::move(codec)), stored_(block_bytes + 2 * kBlockHeaderBytes) {}

BlockReader::Decoder::~Decoder() = default;

BlockReader::BlockReader(const SpillFile* file, Decoder* decoder, int64_t offset, size_t block_bytes)
    : file_(file), decoder_(decoder), block_bytes_(block_bytes), offset_(offset) {}

Status BlockReader::Damage() const { return file_->Damage(offset_, "a block is damaged: its checksum does not fit"); }

// Reads the current block's bytes to the decoder's buffer, and the next block's header with them: one call per block.
Status BlockReader::LoadStored(size_t stored_size, bool is_last, uint64_t checksum) {
  char* const stored = decoder_->stored_.data();
  const size_t next_header = is_last ? 0 : kBlockHeaderBytes;
  std::memcpy(stored, header_, kBlockHeaderBytes);
  ARROW_RETURN_NOT_OK(file_->ReadAt(offset_ + static_cast<int64_t>(kBlockHeaderBytes), stored + kBlockHeaderBytes,
                                    stored_size + next_header));
  if (Checksum({stored, kBlockHeaderBytes + stored_size}, offset_) != checksum) return Damage();
  std::memcpy(header_, stored + kBlockHeaderBytes + stored_size, next_header);
  return Status::OK();
}

Status BlockReader::Decode(size_t stored_size, size_t raw_size, char* out) const {
  char* const stored = decoder_->stored_.data() + kBlockHeaderBytes;
  if (stored_size == raw_size) {
    std::memcpy(out, stored, raw_size);
    return Status::OK();
  }
  ARROW_ASSIGN_OR_RAISE(const int64_t size,
                        decoder_->codec_->Decompress(static_cast<int64_t>(stored_size), Bytes(stored),
                                                     static_cast<int64_t>(raw_size), Bytes(out)));
  return static_cast<size_t>(size) == raw_size ? Status::OK() : Damage();
}

Result<size_t> BlockReader::Read(char* out) {
  if (!has_header_) ARROW_RETURN_NOT_OK(file_->ReadAt(offset_, header_, sizeof header_));
  has_header_ = true;
  Header header;
  std::memcpy(&header, header_, sizeof header);
  const bool is_last = (header.raw_size_and_last & kLastBlock) != 0;
  const size_t raw_size = header.raw_size_and_last & ~kLastBlock;
  const size_t stored_size = header.stored_size;
  if (raw_size > block_bytes_ || stored_size > raw_size) return Damage();
  if (stored_size < raw_size && decoder_->codec_ == nullptr) return Damage();
  ARROW_RETURN_NOT_OK(LoadStored(stored_size, is_last, header.checksum));
  ARROW_RETURN_NOT_OK(Decode(stored_size, raw_size, out));
  offset_ += static_cast<int64_t>(kBlockHeaderBytes + stored_size);
  at_end_ = is_last;
  return raw_size;
}

}  // namespace trawl
