#include "runtime/store/file_sealer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "arrow/io/interfaces.h"
#include "formats/digests/digest.h"

namespace trawl {

class FileSealer::Stream : public arrow::io::OutputStream {
 public:
  explicit Stream(Sink sink) : sink_(std::move(sink)) {}

  using arrow::io::OutputStream::Write;
  arrow::Status Write(const void* data, int64_t size_bytes) override {
    ARROW_RETURN_NOT_OK(status_);
    if (closed_) return arrow::Status::Invalid("write to a closed stream");
    status_ = Append({static_cast<const char*>(data), static_cast<size_t>(size_bytes)});
    return status_;
  }
  arrow::Status Flush() override { return status_; }
  arrow::Status Close() override {
    closed_ = true;
    return status_;
  }
  arrow::Status Abort() override {
    closed_ = true;
    if (status_.ok()) status_ = arrow::Status::Cancelled("the file was given up");
    return arrow::Status::OK();
  }
  arrow::Result<int64_t> Tell() const override { return seal_.size_bytes; }
  bool closed() const override { return closed_; }

  arrow::Result<FileSeal> Finish() {
    closed_ = true;
    ARROW_RETURN_NOT_OK(status_);
    status_ = arrow::Status::Invalid("the file was finished before");
    if (filled_ > 0) ARROW_RETURN_NOT_OK(PassOn({chunk_.get(), filled_}));
    return std::move(seal_);
  }

 private:
  arrow::Status Append(std::string_view bytes);
  arrow::Status PassOn(std::string_view chunk) {
    seal_.chunk_digests.push_back(Hash64(chunk));
    return sink_(chunk);
  }

  Sink sink_;
  arrow::Status status_;
  FileSeal seal_;
  bool closed_ = false;
  std::unique_ptr<char[]> chunk_;  // allocated by the first small write
  size_t filled_ = 0;
};

arrow::Status FileSealer::Stream::Append(std::string_view bytes) {
  seal_.size_bytes += static_cast<int64_t>(bytes.size());
  while (!bytes.empty()) {
    if (filled_ == 0 && bytes.size() >= kChunkBytes) {
      ARROW_RETURN_NOT_OK(PassOn(bytes.substr(0, kChunkBytes)));
      bytes.remove_prefix(kChunkBytes);
      continue;
    }
    if (chunk_ == nullptr) chunk_.reset(new char[kChunkBytes]);  // make_unique would zero the bytes needlessly
    const size_t size = std::min<size_t>(bytes.size(), kChunkBytes - filled_);
    std::memcpy(chunk_.get() + filled_, bytes.data(), size);
    filled_ += size;
    bytes.remove_prefix(size);
    if (filled_ == kChunkBytes) {
      filled_ = 0;
      ARROW_RETURN_NOT_OK(PassOn({chunk_.get(), kChunkBytes}));
    }
  }
  return arrow::Status::OK();
}

FileSealer::FileSealer(Sink sink) : stream_(std::make_shared<Stream>(std::move(sink))) {}

FileSealer::~FileSealer() = default;

arrow::io::OutputStream* FileSealer::stream() { return stream_.get(); }

arrow::Result<FileSeal> FileSealer::Finish() { return stream_->Finish(); }

}  // namespace trawl
