#include "runtime/store/block_cache.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "arrow/util/thread_pool.h"
#include "formats/digests/digest.h"
#include "runtime/store/positioned_file.h"

namespace trawl {

namespace {

// Consecutive chunks, [begin, end) by number. Blocks of one file do not overlap.
struct Block {
  int64_t begin = 0;
  int64_t end = 0;
  std::unique_ptr<char[]> bytes;
  bool loaded = false;
  bool wanted = false;  // somebody asked for it; it was not only read ahead
  int readers = 0;      // threads that read from it or load it; the block is kept while there are any
  uint64_t last_used = 0;

  int64_t chunks() const { return end - begin; }
};

class BlockCache : public PositionedFile {
 public:
  // REQUIRES: `options` leaves no value to the store.
  BlockCache(const std::string& name, std::shared_ptr<arrow::io::RandomAccessFile> file, const FileSeal& seal,
             const BlockCacheOptions& options)
      : PositionedFile(name, seal.size_bytes),
        file_(std::move(file)),
        chunk_digests_(seal.chunk_digests),
        block_chunks_(options.block_bytes / kChunkBytes),
        read_ahead_(options.read_ahead_blocks),
        max_chunks_(std::max<int64_t>(options.capacity_bytes, 0) / kChunkBytes + block_chunks_ * (1 + read_ahead_)) {}
  ~BlockCache() override;

 protected:
  arrow::Status ReadRange(int64_t position, int64_t size, void* out) override;

 private:
  int64_t chunk_count() const { return static_cast<int64_t>(chunk_digests_.size()); }
  // Returns the loaded block with this chunk and holds it until Release.
  arrow::Result<Block*> Hold(int64_t chunk);
  void Release(Block* block);
  // REQUIRES: mutex_ is held.
  Block* Find(int64_t chunk);
  Block* Add(int64_t chunk, int64_t chunks);
  std::unique_ptr<char[]> MakeRoom(int64_t chunks);
  void EndLoad(Block* block, const arrow::Status& status);
  void ReadAheadFrom(int64_t chunk);

  arrow::Status Load(Block* block);
  arrow::Status Verify(const Block& block, int64_t size) const;

  const std::shared_ptr<arrow::io::RandomAccessFile> file_;
  const std::vector<uint64_t> chunk_digests_;
  const int64_t block_chunks_;
  const int read_ahead_;
  const int64_t max_chunks_;

  std::mutex mutex_;
  std::condition_variable load_ended_;
  // There are few blocks, so a scan costs less than any cleverer structure.
  std::vector<std::unique_ptr<Block>> blocks_;
  int64_t kept_chunks_ = 0;
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
    ARROW_ASSIGN_OR_RAISE(Block* const block, Hold(position / kChunkBytes));
    const int64_t offset = position - block->begin * kChunkBytes;
    const int64_t piece = std::min(size, block->chunks() * kChunkBytes - offset);
    std::memcpy(to, block->bytes.get() + offset, static_cast<size_t>(piece));
    Release(block);
    to += piece;
    position += piece;
    size -= piece;
  }
  return arrow::Status::OK();
}

arrow::Result<Block*> BlockCache::Hold(int64_t chunk) {
  std::unique_lock lock(mutex_);
  Block* block = Find(chunk);
  // Another thread is loading it. If that fails the block is gone, and this thread tries itself.
  while (block != nullptr && !block->loaded) {
    load_ended_.wait(lock);
    block = Find(chunk);
  }
  const bool goes_on = chunk > 0 && Find(chunk - 1) != nullptr;
  if (block == nullptr) {
    const bool is_small_file = chunk_count() <= block_chunks_;
    block = is_small_file ? Add(0, chunk_count()) : Add(chunk, goes_on ? block_chunks_ : 1);
    lock.unlock();
    const arrow::Status status = Load(block);
    lock.lock();
    EndLoad(block, status);
    ARROW_RETURN_NOT_OK(status);
  } else {
    ++block->readers;
  }
  block->last_used = ++uses_;
  if (goes_on && !block->wanted) ReadAheadFrom(block->end);
  block->wanted = true;
  return block;
}

void BlockCache::Release(Block* block) {
  const std::lock_guard lock(mutex_);
  --block->readers;
}

Block* BlockCache::Find(int64_t chunk) {
  for (const auto& block : blocks_) {
    if (block->begin <= chunk && chunk < block->end) return block.get();
  }
  return nullptr;
}

// Adds a block of at most `chunks` chunks, which ends where the next one begins, as being loaded by one reader.
// REQUIRES: no block has `chunk`.
Block* BlockCache::Add(int64_t chunk, int64_t chunks) {
  auto added = std::make_unique<Block>();
  added->begin = chunk;
  added->end = std::min(chunk + chunks, chunk_count());
  for (const auto& block : blocks_) {
    if (block->begin > chunk) added->end = std::min(added->end, block->begin);
  }
  added->bytes = MakeRoom(added->chunks());
  added->readers = 1;
  added->last_used = ++uses_;
  kept_chunks_ += added->chunks();
  return blocks_.emplace_back(std::move(added)).get();
}

// Drops the least recently used blocks beyond the limit. Returns the memory of one of them where its size is right:
// fresh memory would cost as much in page faults as the reading itself.
std::unique_ptr<char[]> BlockCache::MakeRoom(int64_t chunks) {
  std::unique_ptr<char[]> bytes;
  while (kept_chunks_ + chunks > max_chunks_ && !blocks_.empty()) {
    const auto oldest = std::min_element(blocks_.begin(), blocks_.end(), [](const auto& a, const auto& b) {
      return std::pair(a->readers > 0, a->last_used) < std::pair(b->readers > 0, b->last_used);
    });
    // Every block is in use: until one is released, the cache may exceed its limit by one block per thread.
    if ((*oldest)->readers > 0) break;
    kept_chunks_ -= (*oldest)->chunks();
    if ((*oldest)->chunks() == chunks) bytes = std::move((*oldest)->bytes);
    blocks_.erase(oldest);
  }
  // A file shorter than a chunk needs only one block, of its own size.
  const int64_t size = std::min(chunks * kChunkBytes, size_bytes());
  if (bytes == nullptr) bytes.reset(new char[static_cast<size_t>(size)]);
  return bytes;
}

// Removes the block if it could not be loaded.
void BlockCache::EndLoad(Block* block, const arrow::Status& status) {
  block->loaded = status.ok();
  if (!status.ok()) {
    kept_chunks_ -= block->chunks();
    std::erase_if(blocks_, [block](const auto& other) { return other.get() == block; });
  }
  load_ended_.notify_all();
}

// A load that fails here is tried again when the block is wanted, and reports its error then.
void BlockCache::ReadAheadFrom(int64_t chunk) {
  for (int ahead = 0; ahead < read_ahead_ && chunk < chunk_count(); ++ahead) {
    Block* block = Find(chunk);
    if (block != nullptr) {
      chunk = block->end;
      continue;
    }
    block = Add(chunk, block_chunks_);
    chunk = block->end;
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
  const int64_t begin = block->begin * kChunkBytes;
  const int64_t size = std::min(block->chunks() * kChunkBytes, size_bytes() - begin);
  ARROW_ASSIGN_OR_RAISE(const int64_t read, file_->ReadAt(begin, size, block->bytes.get()));
  if (read != size) {
    return arrow::Status::IOError(name(), " ends at byte ", begin + read, " while it is read; its receipt says ",
                                  size_bytes());
  }
  return Verify(*block, size);
}

arrow::Status BlockCache::Verify(const Block& block, int64_t size) const {
  for (int64_t chunk = block.begin; chunk < block.end; ++chunk) {
    const int64_t at = (chunk - block.begin) * kChunkBytes;
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
