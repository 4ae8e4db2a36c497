// A file read in large verified blocks. It stands between ORC, which asks for 128 KiB slices scattered over some forty
// column streams of a stripe, and a store, where every request costs.
//
// One request brings one block: a few chunks (formats/digests/file_seal.h), each verified before a byte of it is given
// out. A block is one chunk where reading begins, since a reader of few columns needs no more, and larger where reading
// continues. The most recently used blocks are kept up to a limit.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "arrow/io/type_fwd.h"
#include "arrow/result.h"
#include "formats/digests/file_seal.h"

namespace trawl {

struct BlockCacheOptions {
  // The largest block, a multiple of kChunkBytes; a file no larger is read whole. 0: the store chooses (1 MiB on local
  // disk, more where a request costs more).
  int64_t block_bytes = 0;
  // Memory for kept blocks of this one file. The default is the length of a stripe. One largest block more is kept,
  // since a stripe does not begin at a block's border.
  int64_t capacity_bytes = int64_t{16} << 20;
  // While reading continues, this number of largest blocks after the current one is loaded in the background and kept
  // in addition. kSuitsTheStore: the store chooses (0 on local disk, where the system reads ahead).
  static constexpr int kSuitsTheStore = -1;
  int read_ahead_blocks = kSuitsTheStore;
};

// Opens a view of `file` that verifies. `name` is the file's name in errors. Several threads may read it at once; each
// block is then loaded once. Reading past the end gives the bytes up to the end. IOError where the file's size is not
// the seal's. The destructor waits for background loads.
arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenBlockCache(
    const std::string& name, std::shared_ptr<arrow::io::RandomAccessFile> file, const FileSeal& seal,
    const BlockCacheOptions& options);

}  // namespace trawl
