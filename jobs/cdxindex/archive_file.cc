#include "jobs/cdxindex/archive_file.h"

#include <utility>

#include "arrow/buffer.h"
#include "arrow/io/interfaces.h"
#include "formats/digests/digest.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Passes bytes on, if there is a stream to pass them to, and digests them.
class DigestedStream : public arrow::io::OutputStream {
 public:
  explicit DigestedStream(arrow::io::OutputStream* to) : to_(to) {}

  Status Write(const void* data, int64_t bytes) override {
    if (to_ != nullptr) ARROW_RETURN_NOT_OK(to_->Write(data, bytes));
    sha256_.Update({static_cast<const char*>(data), static_cast<size_t>(bytes)});
    bytes_ += bytes;
    return Status::OK();
  }
  using arrow::io::OutputStream::Write;
  Status Flush() override { return to_ == nullptr ? Status::OK() : to_->Flush(); }
  Status Close() override { return to_ == nullptr ? Status::OK() : to_->Close(); }
  bool closed() const override { return to_ != nullptr && to_->closed(); }
  Result<int64_t> Tell() const override { return bytes_; }

  int64_t bytes() const { return bytes_; }
  std::string Sha256Hex() { return ToHex(Bytes(sha256_.Finish())); }

 private:
  arrow::io::OutputStream* const to_;
  Sha256 sha256_;
  int64_t bytes_ = 0;
};

}  // namespace

struct ArchiveFileWriter::State {
  std::string path;
  std::unique_ptr<StoreWriter> file;       // null where the file is there
  std::shared_ptr<DigestedStream> stream;  // writes into file
};

ArchiveFileWriter::ArchiveFileWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
ArchiveFileWriter::~ArchiveFileWriter() = default;

Result<std::unique_ptr<ArchiveFileWriter>> ArchiveFileWriter::Open(Store* store, const std::string& path) {
  auto state = std::make_unique<State>();
  state->path = path;
  auto file = store->OpenWriter(path);
  if (file.ok()) {
    state->file = *std::move(file);
  } else if (!file.status().IsAlreadyExists()) {
    return file.status();
  }
  state->stream = std::make_shared<DigestedStream>(state->file ? state->file->stream() : nullptr);
  return std::unique_ptr<ArchiveFileWriter>(new ArchiveFileWriter(std::move(state)));
}

std::shared_ptr<arrow::io::OutputStream> ArchiveFileWriter::stream() const { return state_->stream; }

Status ArchiveFileWriter::Write(std::string_view bytes) {
  return state_->stream->Write(bytes.data(), static_cast<int64_t>(bytes.size()));
}

int64_t ArchiveFileWriter::bytes() const { return state_->stream->bytes(); }

Result<ArchiveFile> ArchiveFileWriter::Commit(int64_t records) {
  const Status committed = state_->file ? state_->file->Commit().status() : Status::OK();
  if (!committed.ok() && !committed.IsAlreadyExists()) return committed;
  return ArchiveFile{.path = state_->path,
                     .size_bytes = state_->stream->bytes(),
                     .sha256 = state_->stream->Sha256Hex(),
                     .records = records};
}

}  // namespace trawl
