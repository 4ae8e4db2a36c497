#include "runtime/tables/row_file_writer.h"

#include <algorithm>

#include "arrow/io/interfaces.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The smallest block that ORC takes.
constexpr int64_t kSmallFileBlockBytes = int64_t{64} << 10;
// Files of fewer bytes are not compressed: a decompressor for each of a hundred streams takes longer than their bytes, and
// stores keep them in a few blocks either way.
constexpr size_t kUncompressedFileBytes = size_t{16} << 10;
// The sidecar of some three hundred rows. Every round of a small crawl writes several of them, and a file costs a store
// more than these bytes cost its receipt.
constexpr size_t kSmallSidecarBytes = size_t{4} << 10;

}  // namespace

RowFileWriter::RowFileWriter(Store* store, std::string folder, std::string prefix, std::vector<ColumnSpec> columns,
                             RowFileOptions options)
    : store_(store),
      folder_(std::move(folder)),
      prefix_(std::move(prefix)),
      columns_(std::move(columns)),
      options_(options),
      batch_(columns_, options.batch_rows),
      sidecar_(options.bloom_false_positives) {}

RowFileWriter::~RowFileWriter() {
  // ORC's writer is destroyed before the stream it writes to, which is dropped uncommitted.
  orc_.reset();
}

Status RowFileWriter::Begin(std::string_view key) {
  if (options_.sorted) {
    const uint32_t slot = slot_of_(key);
    if (rows_ > 0 && !(RowPlace{slot_, key_} < RowPlace{slot, key})) {
      return Status::Invalid(folder_, ": row '", key, "' does not come after '", key_, "'");
    }
    if (!options_.slots.Contains(slot)) {
      return Status::Invalid(folder_, ": row '", key, "' is in slot ", slot, ", outside of ", options_.slots.begin,
                             " to ", options_.slots.end);
    }
    slot_ = slot;
    key_.assign(key);
  }
  return file_ == nullptr ? OpenFile() : Status::OK();
}

Status RowFileWriter::OpenFile() {
  receipt_ = FileReceipt();
  receipt_.name = prefix_ + "-" + std::to_string(receipts_.size()) + ".orc";
  receipt_.first_slot = slot_;
  receipt_.first_key = key_;
  ARROW_ASSIGN_OR_RAISE(file_, store_->OpenWriter(folder_ + "/" + receipt_.name));
  return Status::OK();
}

// ORC's writer is made with the first batch: only then is it known whether the file has more than that one. A writer
// fills a block of memory for each of a hundred streams, which is most of the cost of a small file.
Status RowFileWriter::OpenOrc(bool is_only_batch) {
  OrcWriteOptions options = options_.orc;
  if (is_only_batch) {
    options.block_bytes = std::min(options.block_bytes, kSmallFileBlockBytes);
    options.is_compressed = batch_bytes_ > kUncompressedFileBytes;
  }
  ARROW_ASSIGN_OR_RAISE(orc_, OrcWriter::Make(file_->stream(), folder_ + "/" + receipt_.name, columns_, options));
  return Status::OK();
}

Status RowFileWriter::End(std::string_view bytes, SidecarEntry entry) {
  receipt_.digest.Add(Hash128(bytes));
  batch_bytes_ += bytes.size();
  ++receipt_.rows;
  ++rows_;
  if (options_.sorted) {
    sidecar_.Add(key_, entry);
    if (entry.state == 0) ++receipt_.removed;
  }
  if (!batch_.full()) return Status::OK();
  ARROW_RETURN_NOT_OK(FlushBatch(/*is_last=*/false));
  ARROW_ASSIGN_OR_RAISE(const int64_t written, file_->stream()->Tell());
  const bool ends = receipt_.rows >= options_.file_rows || written >= options_.file_bytes;
  return ends ? CloseFile() : Status::OK();
}

Status RowFileWriter::FlushBatch(bool is_last) {
  if (batch_.rows() == 0) return Status::OK();
  if (orc_ == nullptr) ARROW_RETURN_NOT_OK(OpenOrc(is_last));
  if (options_.rows_written != nullptr) *options_.rows_written += batch_.rows();
  const Status status = orc_->Write(batch_);
  batch_.Clear();
  batch_bytes_ = 0;
  return status;
}

Status RowFileWriter::WriteSidecar() {
  std::string content = sidecar_.Finish();
  if (content.size() <= kSmallSidecarBytes) {
    receipt_.small_sidecar = std::move(content);
    return Status::OK();
  }
  ARROW_ASSIGN_OR_RAISE(const auto writer, store_->OpenWriter(folder_ + "/" + SidecarName(receipt_.name)));
  ARROW_RETURN_NOT_OK(writer->stream()->Write(content.data(), static_cast<int64_t>(content.size())));
  return writer->Commit().Value(&receipt_.sidecar);
}

Status RowFileWriter::CloseFile() {
  ARROW_RETURN_NOT_OK(FlushBatch(/*is_last=*/true));
  ARROW_RETURN_NOT_OK(orc_->Close());
  orc_.reset();
  if (options_.sorted) {
    receipt_.last_slot = slot_;
    receipt_.last_key = key_;
    ARROW_RETURN_NOT_OK(WriteSidecar());
  }
  ARROW_ASSIGN_OR_RAISE(receipt_.seal, file_->Commit());
  file_.reset();
  bytes_ += receipt_.seal.size_bytes + receipt_.sidecar.size_bytes;
  receipts_.push_back(std::move(receipt_));
  return Status::OK();
}

Result<std::vector<FileReceipt>> RowFileWriter::Finish() {
  if (file_ != nullptr) ARROW_RETURN_NOT_OK(CloseFile());
  return receipts_;
}

}  // namespace trawl
