#include "runtime/streaming/framed_stream.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kLabelBytes = sizeof(PartitionLabel);

}  // namespace

Status FramedSink::Emit(int partition, std::string_view key, std::string_view value) {
  if (partition < 0 || partition >= partitions_) {
    return Status::Invalid("a record for partition ", partition, " of ", partitions_);
  }
  if (key.size() + kLabelBytes > limits_.key_bytes || value.size() > limits_.value_bytes) {
    return Status::CapacityError("a record with a key of ", key.size(), " and a value of ", value.size(),
                                 " bytes: at most ", limits_.key_bytes - kLabelBytes, " and ", limits_.value_bytes,
                                 " can be sent");
  }
  const PartitionLabel label = LabelOf(partition, partitions_);
  return writer_.Write({label.data(), label.size()}, key, value);
}

Result<bool> FramedGroupStream::NextRecord(std::string_view* record_key, std::string_view* value) {
  Frame frame;
  const int64_t offset = reader_.offset();
  ARROW_ASSIGN_OR_RAISE(const bool more, reader_.Next(&frame));
  if (!more) return false;
  if (frame.key.size() < kLabelBytes) {
    return Status::Invalid("the frame at byte ", offset, " has a key of ", frame.key.size(), " bytes, without a label");
  }
  const bool is_first = label_.empty();
  if (is_first) label_.assign(frame.key.substr(0, kLabelBytes));
  if (!frame.key.starts_with(label_)) return Status::Invalid("the frame at byte ", offset, " is of another partition");
  *record_key = frame.key.substr(kLabelBytes);
  *value = frame.value;
  if (!is_first && *record_key < key()) return Status::Invalid("the keys do not ascend at byte ", offset);
  return true;
}

}  // namespace trawl
