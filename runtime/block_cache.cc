#include "runtime/block_cache.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "arrow/util/thread_pool.h"
#include "formats/digest.h"
#include "runtime/positioned_file.h"

namespace trawl {

namespace {

struct Block {
  int64_t index = 0;
  std::unique_ptr<char[]> bytes;
  bool loaded = false;
  bool wanted = false;  // not only read ahead
  int readers = 0;      // threads that read from it or load it; it is not given up meanwhile
  uint64_t last_used = 0;
};

class BlockCache : public PositionedFile {
 public:
  // REQUIRES: nothing in `options` is left to the store.
  BlockCache(const std::string& name, std::shared_ptr<arrow::io::RandomAccessFile> file, const FileSeal& seal,
             const BlockCacheOptions& options)
      : PositionedFile(name, seal.size_bytes),
        file_(std::move(file)),
        chunk_digests_(seal.chunk_digests),
        block_bytes_(options.block_bytes),
        read_ahead_(options.read_ahead_blocks),
        max_blocks_(
            static_cast<size_t>(std::max<int64_t>(options.capacity_bytes / block_bytes_, 0) + 1 + read_ahead_)) {}
  ~BlockCache() override;

 protected:
  arrow::Status ReadRange(int64_t position, int64_t size, void* out) override;

 private:
  int64_t SizeOf(int64_t block) const { return std::min(block_bytes_, size_bytes() - block * block_bytes_); }
  // The loaded block, held until Release.
  arrow::Result<Block*> Hold(int64_t index);
  void Release(Block* block);
  // REQUIRES: mutex_ is held.
  Block* Find(int64_t index);
  Block* Add(int64_t index);
  void EndLoad(Block* block, const arrow::Status& status);
  void ReadAheadOf(int64_t index);

  arrow::Status Load(Block* block);
  arrow::Status Verify(const Block& block) const;

  const std::shared_ptr<arrow::io::RandomAccessFile> file_;
  const std::vector<uint64_t> chunk_digests_;
  const int64_t block_bytes_;
  const int read_ahead_;
  const size_t max_blocks_;

  std::mutex mutex_;
  std::condition_variable load_ended_;
  // Few enough that a scan costs less than any cleverer structure.
  std::vector<std::unique_ptr<Block>> blocks_;
  uint64_t uses_ = 0;
  int loads_ahead_ = 0;
};

BlockCache::~BlockCache() {
  std::unique_lock lock(mutex_);
  load_ended_.wait(lock, [this] { return loads_ahead_ == 0; });
}

arrow::Status BlockCache::ReadRange(int64_t position, int64_t size, void* out) {
  char* to = static_cast<char*>(out);
  while (size > 0) {
    const int64_t index = position / block_bytes_;
    const int64_t offset = position - index * block_bytes_;
    const int64_t piece = std::min(size, SizeOf(index) - offset);
    ARROW_ASSIGN_OR_RAISE(Block* const block, Hold(index));
    std::memcpy(to, block->bytes.get() + offset, static_cast<size_t>(piece));
    Release(block);
    to += piece;
    position += piece;
    size -= piece;
  }
  return arrow::Status::OK();
}

arrow::Result<Block*> BlockCache::Hold(int64_t index) {
  std::unique_lock lock(mutex_);
  Block* block = Find(index);
  // Another thread is loading it. If that fails the block is gone, and this thread tries for itself.
  while (block != nullptr && !block->loaded) {
    load_ended_.wait(lock);
    block = Find(index);
  }
  if (block == nullptr) {
    block = Add(index);
    lock.unlock();
    const arrow::Status status = Load(block);
    lock.lock();
    EndLoad(block, status);
    ARROW_RETURN_NOT_OK(status);
  } else {
    ++block->readers;
  }
  block->last_used = ++uses_;
  if (!block->wanted) ReadAheadOf(index);
  block->wanted = true;
  return block;
}

void BlockCache::Release(Block* block) {
  const std::lock_guard lock(mutex_);
  --block->readers;
}

Block* BlockCache::Find(int64_t index) {
  for (const auto& block : blocks_) {
    if (block->index == index) return block.get();
  }
  return nullptr;
}

// Enters a block as being loaded by one reader, and gives up the blocks unused for longest beyond the limit. The new
// block takes over the memory of one of them: fresh memory would cost as much in page faults as the reading itself.
Block* BlockCache::Add(int64_t index) {
  auto added = std::make_unique<Block>();
  added->index = index;
  added->readers = 1;
  added->last_used = ++uses_;
  while (blocks_.size() >= max_blocks_) {
    const auto oldest = std::min_element(blocks_.begin(), blocks_.end(), [](const auto& a, const auto& b) {
      return std::pair(a->readers > 0, a->last_used) < std::pair(b->readers > 0, b->last_used);
    });
    if ((*oldest)->readers > 0)
      break;  // every block is in use: for a while there are as many more as there are threads
    added->bytes = std::move((*oldest)->bytes);
    blocks_.erase(oldest);
  }
  return blocks_.emplace_back(std::move(added)).get();
}

// A block that could not be loaded is gone.
void BlockCache::EndLoad(Block* block, const arrow::Status& status) {
  block->loaded = status.ok();
  if (!status.ok()) std::erase_if(blocks_, [block](const auto& other) { return other.get() == block; });
  load_ended_.notify_all();
}

// A load that fails here is tried again, and its error told, when the block is wanted.
void BlockCache::ReadAheadOf(int64_t index) {
  if (read_ahead_ == 0 || Find(index - 1) == nullptr) return;
  for (int64_t ahead = index + 1; ahead <= index + read_ahead_ && ahead * block_bytes_ < size_bytes(); ++ahead) {
    if (Find(ahead) != nullptr) continue;
    Block* const block = Add(ahead);
    ++loads_ahead_;
    const arrow::Status spawned = arrow::io::default_io_context().executor()->Spawn([this, block] {
      const arrow::Status status = Load(block);
      const std::lock_guard lock(mutex_);
      --block->readers;
      --loads_ahead_;
      EndLoad(block, status);
    });
    if (spawned.ok()) continue;
    --loads_ahead_;
    EndLoad(block, spawned);
  }
}

arrow::Status BlockCache::Load(Block* block) {
  const int64_t begin = block->index * block_bytes_;
  const int64_t size = SizeOf(block->index);
  // Files smaller than a block never take more than they are; a recycled block is a whole one or the file's only one.
  if (block->bytes == nullptr) block->bytes.reset(new char[std::min(block_bytes_, size_bytes())]);
  ARROW_ASSIGN_OR_RAISE(const int64_t read, file_->ReadAt(begin, size, block->bytes.get()));
  if (read != size) {
    return arrow::Status::IOError(name(), " ends at byte ", begin + read, " while it is read; its receipt says ",
                                  size_bytes());
  }
  return Verify(*block);
}

arrow::Status BlockCache::Verify(const Block& block) const {
  const int64_t size = SizeOf(block.index);
  int64_t chunk = block.index * (block_bytes_ / kChunkBytes);
  for (int64_t at = 0; at < size; at += kChunkBytes, ++chunk) {
    const size_t chunk_size = static_cast<size_t>(std::min(kChunkBytes, size - at));
    if (Hash64({block.bytes.get() + at, chunk_size}) != chunk_digests_[static_cast<size_t>(chunk)]) {
      return arrow::Status::IOError(name(), " is damaged: chunk ", chunk, " (", chunk_size, " bytes at ",
                                    chunk * kChunkBytes, ") does not match its digest");
    }
  }
  return arrow::Status::OK();
}

}  // namespace

arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenBlockCache(
    const std::string& name, std::shared_ptr<arrow::io::RandomAccessFile> file, const FileSeal& seal,
    const BlockCacheOptions& options) {
  BlockCacheOptions chosen = options;
  if (chosen.block_bytes == 0) chosen.block_bytes = kChunkBytes;
  if (chosen.read_ahead_blocks == BlockCacheOptions::kSuitsTheStore) chosen.read_ahead_blocks = 0;
  if (chosen.block_bytes < 0 || chosen.block_bytes % kChunkBytes != 0 || chosen.read_ahead_blocks < 0) {
    return arrow::Status::Invalid("blocks of ", chosen.block_bytes, " bytes, ", chosen.read_ahead_blocks,
                                  " ahead: the size is not a multiple of ", kChunkBytes, ", or the number negative");
  }
  if (seal.size_bytes < 0 || static_cast<int64_t>(seal.chunk_digests.size()) != ChunkCount(seal.size_bytes)) {
    return arrow::Status::Invalid("the receipt of ", name, " has ", seal.chunk_digests.size(), " chunk digests for ",
                                  seal.size_bytes, " bytes");
  }
  ARROW_ASSIGN_OR_RAISE(const int64_t size, file->GetSize());
  if (size != seal.size_bytes) {
    return arrow::Status::IOError(name, " is damaged: it has ", size, " bytes, its receipt says ", seal.size_bytes);
  }
  return std::make_shared<BlockCache>(name, std::move(file), seal, chosen);
}

}  // namespace trawl
