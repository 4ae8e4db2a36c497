// The seal of a file, which readers check its bytes against: its size and a digest of every MiB.
//
// ORC has no checksums, so every file of the crawl is sealed while it is written. The seal travels in the file's
// receipt and the reader verifies each chunk that it loads. Pure; any thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace trawl {

// The unit of verification. It never changes, because stored files depend on it.
inline constexpr int64_t kChunkBytes = int64_t{1} << 20;

// chunk_digests[i] is Hash64 of the bytes [i MiB, (i + 1) MiB) of the file; the last chunk ends with the file. An empty
// file has no chunks.
struct FileSeal {
  int64_t size_bytes = 0;
  std::vector<uint64_t> chunk_digests;
  bool operator==(const FileSeal&) const = default;
};

// The number of chunks in a file of that size.
constexpr int64_t ChunkCount(int64_t size_bytes) { return (size_bytes + kChunkBytes - 1) / kChunkBytes; }

// The seal of a file with this content.
FileSeal SealOf(std::string_view content);

}  // namespace trawl
