#include "jobs/wacz/records.h"

#include <algorithm>

#include "arrow/buffer.h"
#include "arrow/io/interfaces.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kAheadBytes = int64_t{1} << 20;

// Records whose fields alone are asked for.
const WarcReading kForgiving = {.strict = false, .make_decoder = {}, .take_block = {}};

std::string Readable(const std::string& filename, int64_t offset) {
  return filename + ", offset " + std::to_string(offset);
}

}  // namespace

Status RecordFiles::Open(const std::string& filename) {
  if (open_ == filename) return Status::OK();
  ahead_.reset();
  ARROW_ASSIGN_OR_RAISE(file_, from_->OpenUnverified(filename));
  ARROW_ASSIGN_OR_RAISE(size_, file_->GetSize());
  open_ = filename;
  return Status::OK();
}

Result<std::string_view> RecordFiles::ReadAt(int64_t offset, int64_t most) {
  const int64_t wanted = std::min({most, size_ - offset, kAheadBytes});
  if (wanted <= 0) return std::string_view();
  const bool is_there = ahead_ != nullptr && offset >= ahead_begin_ && offset + wanted <= ahead_begin_ + ahead_->size();
  if (!is_there) {
    ARROW_ASSIGN_OR_RAISE(ahead_, file_->ReadAt(offset, kAheadBytes));
    ahead_begin_ = offset;
  }
  return std::string_view(*ahead_).substr(static_cast<size_t>(offset - ahead_begin_), static_cast<size_t>(most));
}

WarcReader::Source RecordFiles::PiecesOf(int64_t offset, int64_t end) {
  return [this, end, at = offset]() mutable -> Result<std::string_view> {
    ARROW_ASSIGN_OR_RAISE(const std::string_view piece, ReadAt(at, end - at));
    at += static_cast<int64_t>(piece.size());
    return piece;
  };
}

Result<WarcRecord> RecordFiles::ReadRecord(WarcReader* reader, int64_t offset) const {
  WarcRecord record;
  ARROW_ASSIGN_OR_RAISE(const bool is_there, reader->Next(&record));
  if (!is_there) return Status::IOError(Readable(open_, offset), ": no record begins there");
  if (!record.fault.empty()) return Status::IOError(Readable(open_, offset), ": ", record.fault);
  return record;
}

Result<WarcRecord> RecordFiles::Copy(const MemberPlace& place, const std::function<Status(std::string_view)>& take) {
  ARROW_RETURN_NOT_OK(Open(place.filename));
  int64_t copied = 0;
  const auto next = PiecesOf(place.offset, place.offset + place.length);
  WarcReader reader([&]() -> Result<std::string_view> {
    ARROW_ASSIGN_OR_RAISE(const std::string_view piece, next());
    if (copied == 0 && !piece.starts_with("\x1f\x8b")) {
      return Status::IOError(Readable(place.filename, place.offset), ": no record begins there");
    }
    copied += static_cast<int64_t>(piece.size());
    if (!piece.empty()) ARROW_RETURN_NOT_OK(take(piece));
    return piece;
  });
  ARROW_ASSIGN_OR_RAISE(WarcRecord record, ReadRecord(&reader, place.offset));
  WarcRecord other;
  ARROW_ASSIGN_OR_RAISE(const bool has_more, reader.Next(&other));
  if (has_more || copied != place.length) {
    return Status::IOError(Readable(place.filename, place.offset), ": the record does not end after ", place.length,
                           " bytes, as the index says");
  }
  return record;
}

Result<WarcRecord> RecordFiles::Read(const MemberPlace& place) {
  ARROW_RETURN_NOT_OK(Open(place.filename));
  WarcReader reader(PiecesOf(place.offset, place.offset + place.length), kForgiving);
  return ReadRecord(&reader, place.offset);
}

Result<MemberPlace> RecordFiles::First(const std::string& filename) {
  ARROW_RETURN_NOT_OK(Open(filename));
  WarcReader reader(PiecesOf(0, size_), kForgiving);
  ARROW_ASSIGN_OR_RAISE(const WarcRecord record, ReadRecord(&reader, 0));
  return MemberPlace{.filename = filename, .offset = 0, .length = record.length};
}

}  // namespace trawl
