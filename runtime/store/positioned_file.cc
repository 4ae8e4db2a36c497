#include "runtime/store/positioned_file.h"

#include <algorithm>
#include <utility>

#include "arrow/buffer.h"

namespace trawl {

PositionedFile::PositionedFile(std::string name, int64_t size_bytes)
    : name_(std::move(name)), size_bytes_(size_bytes) {}

PositionedFile::~PositionedFile() = default;

arrow::Status PositionedFile::Close() {
  closed_ = true;
  return arrow::Status::OK();
}

arrow::Result<int64_t> PositionedFile::Tell() const {
  const std::lock_guard lock(position_mutex_);
  return position_;
}

arrow::Status PositionedFile::Seek(int64_t position) {
  if (position < 0) return arrow::Status::Invalid(name_, ": seek to ", position);
  const std::lock_guard lock(position_mutex_);
  position_ = position;
  return arrow::Status::OK();
}

arrow::Result<int64_t> PositionedFile::Read(int64_t size, void* out) {
  const std::lock_guard lock(position_mutex_);
  ARROW_ASSIGN_OR_RAISE(const int64_t read, ReadAt(position_, size, out));
  position_ += read;
  return read;
}

arrow::Result<std::shared_ptr<arrow::Buffer>> PositionedFile::Read(int64_t size) {
  const std::lock_guard lock(position_mutex_);
  ARROW_ASSIGN_OR_RAISE(auto buffer, ReadAt(position_, size));
  position_ += buffer->size();
  return buffer;
}

arrow::Result<int64_t> PositionedFile::SizeWithin(int64_t position, int64_t size, bool allow_short_read) const {
  if (closed_) return arrow::Status::Invalid(name_, ": read after close");
  if (position < 0 || size < 0) return arrow::Status::Invalid(name_, ": read of ", size, " bytes at ", position);
  const int64_t within = std::clamp<int64_t>(size_bytes_ - position, 0, size);
  if (within < size && !allow_short_read) {
    return arrow::Status::IOError(name_, ": read of ", size, " bytes at ", position, " in a file of ", size_bytes_);
  }
  return within;
}

arrow::Result<int64_t> PositionedFile::ReadAt(int64_t position, int64_t size, void* out) {
  return ReadAt(position, size, /*allow_short_read=*/true, out);
}

arrow::Result<int64_t> PositionedFile::ReadAt(int64_t position, int64_t size, bool allow_short_read, void* out) {
  ARROW_ASSIGN_OR_RAISE(const int64_t within, SizeWithin(position, size, allow_short_read));
  if (within > 0) ARROW_RETURN_NOT_OK(ReadRange(position, within, out));
  return within;
}

arrow::Result<std::shared_ptr<arrow::Buffer>> PositionedFile::ReadAt(int64_t position, int64_t size) {
  return ReadAt(position, size, /*allow_short_read=*/true);
}

arrow::Result<std::shared_ptr<arrow::Buffer>> PositionedFile::ReadAt(int64_t position, int64_t size,
                                                                     bool allow_short_read) {
  ARROW_ASSIGN_OR_RAISE(const int64_t within, SizeWithin(position, size, allow_short_read));
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> buffer, arrow::AllocateBuffer(within));
  if (within > 0) ARROW_RETURN_NOT_OK(ReadRange(position, within, buffer->mutable_data()));
  return buffer;
}

}  // namespace trawl
