#include "jobs/near/spilled_rows.h"

#include <cstring>

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kMostInMemory = size_t{1} << 20;

}  // namespace

Result<int64_t> SpilledRows::Add(std::string_view bytes) {
  if (rest_.size() >= kMostInMemory) {
    if (file_ == nullptr) {
      ARROW_ASSIGN_OR_RAISE(file_, SpillFile::Make(folder_));
    }
    ARROW_RETURN_NOT_OK(file_->Append(rest_));
    spilled_ += static_cast<int64_t>(rest_.size());
    rest_.clear();
  }
  const int64_t place = end();
  const auto size = static_cast<uint32_t>(bytes.size());
  rest_.append(reinterpret_cast<const char*>(&size), sizeof size).append(bytes);
  return place;
}

Result<int64_t> SpilledRows::Read(int64_t place, std::string* bytes) const {
  uint32_t size = 0;
  ARROW_RETURN_NOT_OK(ReadAt(place, reinterpret_cast<char*>(&size), sizeof size));
  bytes->resize(size);
  const int64_t begin = place + static_cast<int64_t>(sizeof size);
  ARROW_RETURN_NOT_OK(ReadAt(begin, bytes->data(), size));
  return begin + static_cast<int64_t>(size);
}

// What is added at once is spilled at once.
Status SpilledRows::ReadAt(int64_t place, char* out, size_t size) const {
  if (place < spilled_) return file_->ReadAt(place, out, size);
  const auto at = static_cast<size_t>(place - spilled_);
  if (at + size > rest_.size()) return Status::IOError("a row at ", place, " of ", end(), " bytes is not there");
  std::memcpy(out, rest_.data() + at, size);
  return Status::OK();
}

}  // namespace trawl
