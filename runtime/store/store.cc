#include "runtime/store/store.h"

#include "arrow/io/interfaces.h"

namespace trawl {

arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> Store::OpenVerified(const std::string& path,
                                                                                const FileSeal& seal,
                                                                                const BlockCacheOptions& options) {
  ARROW_ASSIGN_OR_RAISE(auto file, OpenUnverified(path));
  BlockCacheOptions chosen = options;
  if (chosen.block_bytes == 0) chosen.block_bytes = preferred_blocks().block_bytes;
  if (chosen.read_ahead_blocks == BlockCacheOptions::kSuitsTheStore) {
    chosen.read_ahead_blocks = preferred_blocks().read_ahead_blocks;
  }
  return OpenBlockCache(Describe() + "/" + path, std::move(file), seal, chosen);
}

arrow::Result<std::string> Store::ReadWhole(const std::string& path, int64_t max_bytes) {
  ARROW_ASSIGN_OR_RAISE(const auto file, OpenUnverified(path));
  ARROW_ASSIGN_OR_RAISE(const int64_t size, file->GetSize());
  if (size > max_bytes) {
    return arrow::Status::CapacityError(Describe(), "/", path, " has ", size, " bytes, at most ", max_bytes,
                                        " are read");
  }
  std::string content(static_cast<size_t>(size), '\0');
  ARROW_ASSIGN_OR_RAISE(const int64_t read, file->ReadAt(0, size, content.data()));
  if (read != size) return arrow::Status::IOError(Describe(), "/", path, " ends at byte ", read, " of ", size);
  return content;
}

}  // namespace trawl
