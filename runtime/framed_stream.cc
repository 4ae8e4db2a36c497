#include "runtime/framed_stream.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Status FramedSink::Emit(int partition, std::string_view key, std::string_view value) {
  if (partition < 0 || partition >= partitions_) {
    return Status::Invalid("a record for partition ", partition, " of ", partitions_);
  }
  const PartitionLabel label = LabelOf(partition, partitions_);
  return writer_.Write({label.data(), label.size()}, key, value);
}

Result<bool> FramedGroupStream::Fill() {
  if (has_frame_) return true;
  if (at_end_) return false;
  ARROW_ASSIGN_OR_RAISE(const bool more, reader_.Next(&frame_));
  at_end_ = !more;
  if (more) ARROW_RETURN_NOT_OK(CheckOrder());
  has_frame_ = more;
  return more;
}

Status FramedGroupStream::CheckOrder() const {
  constexpr size_t kLabelBytes = sizeof(PartitionLabel);
  if (frame_.key.size() < kLabelBytes) {
    return Status::Invalid("a key of ", frame_.key.size(), " bytes before byte ", reader_.offset(), " has no label");
  }
  if (!began_) return Status::OK();
  if (frame_.key.substr(0, kLabelBytes) != std::string_view(wire_key_).substr(0, kLabelBytes)) {
    return Status::Invalid("records of two partitions came, the second before byte ", reader_.offset());
  }
  if (frame_.key < wire_key_) return Status::Invalid("keys do not ascend before byte ", reader_.offset());
  return Status::OK();
}

Result<bool> FramedGroupStream::NextGroup() {
  std::string_view skipped;
  for (bool more = in_group_; more;) {
    ARROW_ASSIGN_OR_RAISE(more, NextValue(&skipped));
  }
  ARROW_ASSIGN_OR_RAISE(in_group_, Fill());
  if (in_group_) wire_key_.assign(frame_.key);
  began_ = began_ || in_group_;
  return in_group_;
}

Result<bool> FramedGroupStream::NextValue(std::string_view* value) {
  if (!in_group_) return false;
  ARROW_ASSIGN_OR_RAISE(const bool more, Fill());
  in_group_ = more && frame_.key == wire_key_;
  if (!in_group_) return false;
  *value = frame_.value;
  has_frame_ = false;
  return true;
}

}  // namespace trawl
