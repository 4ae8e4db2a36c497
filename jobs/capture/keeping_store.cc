#include "jobs/capture/keeping_store.h"

#include <utility>

#include "arrow/io/interfaces.h"
#include "runtime/store/file_sealer.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

class KeepingWriter : public StoreWriter {
 public:
  // `file` is null where the file is there.
  explicit KeepingWriter(std::unique_ptr<StoreWriter> file)
      : file_(std::move(file)), sealer_([this](std::string_view bytes) {
          return file_ == nullptr ? Status::OK()
                                  : file_->stream()->Write(bytes.data(), static_cast<int64_t>(bytes.size()));
        }) {}

  arrow::io::OutputStream* stream() override { return sealer_.stream(); }

  Result<FileSeal> Commit() override {
    ARROW_ASSIGN_OR_RAISE(FileSeal seal, sealer_.Finish());
    const Status committed = file_ == nullptr ? Status::OK() : file_->Commit().status();
    if (!committed.ok() && !committed.IsAlreadyExists()) return committed;
    return seal;
  }

 private:
  const std::unique_ptr<StoreWriter> file_;
  FileSealer sealer_;
};

}  // namespace

Result<std::unique_ptr<StoreWriter>> KeepingStore::OpenWriter(const std::string& path) {
  auto file = below_.OpenWriter(path);
  if (!file.ok() && !file.status().IsAlreadyExists()) return file.status();
  return std::make_unique<KeepingWriter>(file.ok() ? *std::move(file) : nullptr);
}

}  // namespace trawl
