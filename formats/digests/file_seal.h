// What a reader checks a file's bytes against: its size and a digest of every MiB.
//
// ORC has no checksums, so every file of the crawl is sealed as it is written; the seal travels in the file's receipt
// and the reader verifies each chunk that it loads. Pure; any thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace trawl {

// The unit of verification. Stored files depend on it: it never changes.
inline constexpr int64_t kChunkBytes = int64_t{1} << 20;

// chunk_digests[i] is Hash64 of the bytes [i MiB, (i + 1) MiB) of the file, the last chunk as long as it is; none for
// an empty file.
struct FileSeal {
  int64_t size_bytes = 0;
  std::vector<uint64_t> chunk_digests;
  bool operator==(const FileSeal&) const = default;
};

// How many chunks a file of that size has.
constexpr int64_t ChunkCount(int64_t size_bytes) { return (size_bytes + kChunkBytes - 1) / kChunkBytes; }

// The seal of a file with this content.
FileSeal SealOf(std::string_view content);

}  // namespace trawl
