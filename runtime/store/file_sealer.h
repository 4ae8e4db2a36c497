// The stream inside every StoreWriter: seals the bytes as they pass and hands them on in whole chunks.
//
// One thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "arrow/io/type_fwd.h"
#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/digests/file_seal.h"

namespace trawl {

class FileSealer {
 public:
  // Takes the next bytes of the file. All pieces but the last are one chunk long.
  using Sink = std::function<arrow::Status(std::string_view)>;
  explicit FileSealer(Sink sink);
  ~FileSealer();
  FileSealer(const FileSealer&) = delete;
  FileSealer& operator=(const FileSealer&) = delete;

  // Small writes are gathered to chunks; what arrives in whole chunks is passed on without a copy. The first error is
  // kept: every later call gives it again. Lives as long as the sealer.
  arrow::io::OutputStream* stream();

  // Passes on the rest and says what was written. Nothing can be written afterwards.
  arrow::Result<FileSeal> Finish();

 private:
  class Stream;
  std::shared_ptr<Stream> stream_;
};

}  // namespace trawl
