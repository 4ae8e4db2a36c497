#include "runtime/shuffle/trailer.h"

#include <cstring>

#include "formats/digests/digest.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kTrailerBytes = 12;
constexpr size_t kNoteBytes = 8;

void PutLittleEndian(uint64_t value, size_t bytes, char* out) {
  for (size_t i = 0; i < bytes; ++i) out[i] = static_cast<char>(value >> (8 * i));
}

uint64_t GetLittleEndian(const char* in, size_t bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; ++i) value |= static_cast<uint64_t>(static_cast<uint8_t>(in[i])) << (8 * i);
  return value;
}

}  // namespace

std::string CombinedNote(uint64_t records) {
  std::string note(kNoteBytes, '\0');
  PutLittleEndian(records, kNoteBytes, note.data());
  return note;
}

TrailerSink::TrailerSink(RecordSink* sink, uint32_t map_task, int partitions)
    : sink_(sink), map_task_(map_task), sent_(static_cast<size_t>(partitions)) {}

Status TrailerSink::Emit(int partition, std::string_view key, std::string_view value) {
  if (finished_) return Status::Invalid("a record after the trailers of map task ", map_task_);
  if (partition < 0 || static_cast<size_t>(partition) >= sent_.size()) {
    return Status::Invalid("a record for partition ", partition, " of ", sent_.size());
  }
  if (key >= kTrailerKey) return Status::Invalid("a key that sorts after the trailers: ", ToHex(key.substr(0, 16)));
  ++sent_[static_cast<size_t>(partition)];
  return sink_->Emit(partition, key, value);
}

Status TrailerSink::Finish() {
  if (finished_) return Status::Invalid("map task ", map_task_, " ends twice");
  finished_ = true;
  for (size_t partition = 0; partition < sent_.size(); ++partition) {
    char value[kTrailerBytes];
    PutLittleEndian(map_task_, 4, value);
    PutLittleEndian(sent_[partition], 8, value + 4);
    ARROW_RETURN_NOT_OK(sink_->Emit(static_cast<int>(partition), kTrailerKey, {value, sizeof value}));
  }
  return Status::OK();
}

TrailerCheck::TrailerCheck(GroupStream* groups, uint32_t map_tasks) : groups_(groups), has_trailer_(map_tasks) {}

Result<bool> TrailerCheck::NextGroup() {
  ARROW_RETURN_NOT_OK(failure_);
  if (at_end_) return false;
  std::string_view skipped;
  while (in_group_) {
    ARROW_RETURN_NOT_OK(NextValue(&skipped).status());
  }
  ARROW_ASSIGN_OR_RAISE(in_group_, groups_->NextGroup());
  if (in_group_ && groups_->key() < kTrailerKey) return true;
  at_end_ = true;
  if (in_group_) failure_ = ReadTrailers();
  in_group_ = false;
  if (failure_.ok()) failure_ = Verdict();
  ARROW_RETURN_NOT_OK(failure_);
  return false;
}

Result<bool> TrailerCheck::NextValue(std::string_view* value) {
  if (!in_group_) return false;
  ARROW_ASSIGN_OR_RAISE(in_group_, groups_->NextValue(value));
  if (in_group_) {
    ++seen_;
    bytes_ += groups_->key().size() + value->size();
  }
  return in_group_;
}

Status TrailerCheck::Finish() {
  for (bool more = true; more;) {
    ARROW_ASSIGN_OR_RAISE(more, NextGroup());
  }
  return Status::OK();
}

Status TrailerCheck::ReadTrailers() {
  if (groups_->key() != kTrailerKey) {
    return Status::IOError("a key that sorts after the trailers: ", ToHex(groups_->key().substr(0, 16)));
  }
  std::string_view value;
  for (;;) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups_->NextValue(&value));
    if (!more) break;
    ARROW_RETURN_NOT_OK(AddTrailer(value));
  }
  ARROW_ASSIGN_OR_RAISE(const bool more, groups_->NextGroup());
  return more ? Status::IOError("a group after the trailers") : Status::OK();
}

Status TrailerCheck::AddTrailer(std::string_view value) {
  if (value.size() == kNoteBytes) {
    combined_ += GetLittleEndian(value.data(), kNoteBytes);
    return Status::OK();
  }
  if (value.size() != kTrailerBytes) return Status::IOError("a trailer of ", value.size(), " bytes");
  const uint64_t map_task = GetLittleEndian(value.data(), 4);
  if (map_task >= has_trailer_.size()) {
    return Status::IOError("a trailer of map task ", map_task, " where there are ", has_trailer_.size());
  }
  if (has_trailer_[map_task]) return Status::IOError("two trailers of map task ", map_task);
  has_trailer_[map_task] = true;
  ++trailers_;
  claimed_ += GetLittleEndian(value.data() + 4, 8);
  return Status::OK();
}

Status TrailerCheck::Verdict() const {
  for (size_t map_task = 0; map_task < has_trailer_.size(); ++map_task) {
    if (has_trailer_[map_task]) continue;
    return Status::IOError("no trailer of map task ", map_task, ": ", trailers_, " of ", has_trailer_.size(),
                           " map tasks are here");
  }
  if (claimed_ != seen_ + combined_) {
    const std::string also = combined_ == 0 ? "" : " and " + std::to_string(combined_) + " were combined with them";
    return Status::IOError(seen_, " records came", also, " where the map tasks sent ", claimed_);
  }
  return Status::OK();
}

}  // namespace trawl
