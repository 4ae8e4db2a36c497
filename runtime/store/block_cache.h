// A file read in large verified blocks: the reader between ORC, which asks for 128 KiB slices scattered over some forty
// column streams of a stripe, and a store, where every request costs.
//
// A block is what one request brings: a few chunks (formats/digests/file_seal.h), each verified before a byte of it is given
// out. It is one chunk where reading begins, since whoever picks a few columns needs no more, and larger where it goes
// on. The last used blocks are kept up to a limit.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "arrow/io/type_fwd.h"
#include "arrow/result.h"
#include "formats/digests/file_seal.h"

namespace trawl {

struct BlockCacheOptions {
  // The largest block, a multiple of kChunkBytes; a file no larger is read whole. 0: what suits the store (1 MiB on
  // local disk, more where a request costs more).
  int64_t block_bytes = 0;
  // Memory for kept blocks of this one file: as long as a stripe, and one largest block more is kept, since a stripe
  // does not begin at a block's border.
  int64_t capacity_bytes = int64_t{16} << 20;
  // So many largest blocks behind the one that is used are loaded in the background, and kept besides, where reading
  // goes on. kSuitsTheStore: 0 on local disk, where the system reads ahead.
  static constexpr int kSuitsTheStore = -1;
  int read_ahead_blocks = kSuitsTheStore;
};

// A view of `file` that verifies. `name` is what errors call it. Threads may read it at once, each block is then loaded
// once. Reading past the end gives what there is. IOError where the file's size is not the seal's. Its destructor waits
// for what it loads in the background.
arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenBlockCache(
    const std::string& name, std::shared_ptr<arrow::io::RandomAccessFile> file, const FileSeal& seal,
    const BlockCacheOptions& options);

}  // namespace trawl
