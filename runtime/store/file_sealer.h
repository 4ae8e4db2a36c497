// The stream inside every StoreWriter: it seals the bytes as they pass and hands them on in whole chunks.
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
  // Takes the next bytes of the file. Every piece but the last is one chunk long.
  using Sink = std::function<arrow::Status(std::string_view)>;
  explicit FileSealer(Sink sink);
  ~FileSealer();
  FileSealer(const FileSealer&) = delete;
  FileSealer& operator=(const FileSealer&) = delete;

  // Gathers small writes into chunks; passes whole chunks on without a copy. It keeps the first error, and every later
  // call returns it again. Lives as long as the sealer.
  arrow::io::OutputStream* stream();

  // Passes on the rest and returns the seal of all that was written. Nothing can be written afterwards.
  arrow::Result<FileSeal> Finish();

 private:
  class Stream;
  std::shared_ptr<Stream> stream_;
};

}  // namespace trawl
