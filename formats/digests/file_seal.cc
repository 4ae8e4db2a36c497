#include "formats/digests/file_seal.h"

#include "formats/digests/digest.h"

namespace trawl {

FileSeal SealOf(std::string_view content) {
  FileSeal seal;
  seal.size_bytes = static_cast<int64_t>(content.size());
  seal.chunk_digests.reserve(static_cast<size_t>(ChunkCount(seal.size_bytes)));
  for (size_t at = 0; at < content.size(); at += kChunkBytes) {
    seal.chunk_digests.push_back(Hash64(content.substr(at, kChunkBytes)));
  }
  return seal;
}

}  // namespace trawl
