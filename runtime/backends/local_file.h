// A file on local disk, open for reading. Only sources include this header (see runtime/store/positioned_file.h).
#pragma once

#include <memory>
#include <string>

#include "arrow/result.h"
#include "runtime/process/file_descriptor.h"
#include "runtime/store/positioned_file.h"

namespace trawl {

class LocalFile : public PositionedFile {
 public:
  // FileNotFound where it does not exist; an IOError where it is a folder or anything else that is not a file.
  static arrow::Result<std::shared_ptr<LocalFile>> Open(const std::string& path);

  LocalFile(std::string path, int64_t size_bytes, FileDescriptor file);
  ~LocalFile() override;

 protected:
  arrow::Status ReadRange(int64_t position, int64_t size, void* out) override;

 private:
  const FileDescriptor file_;
};

}  // namespace trawl
