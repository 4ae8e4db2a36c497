// Writes the rows of one task into files cut by size, each with its sidecar and receipt. Runs and datasets consist of
// these files.
//
// Start at RunWriter<Row> in run_writer.h; this is the part that does not know the row's type. One thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/receipt.h"
#include "formats/tables/columns.h"
#include "formats/tables/orc.h"
#include "formats/tables/sidecar.h"
#include "formats/url/key.h"
#include "runtime/store/store.h"

namespace trawl {

struct RowFileOptions {
  // Rows must come in the order of a table, within `slots`, and the files get sidecars.
  bool sorted = true;
  SlotRange slots;
  // A file ends when it reaches either limit.
  int64_t file_bytes = int64_t{128} << 20;
  int64_t file_rows = int64_t{1} << 20;
  // Rows handed to ORC at once: a fixed number, so that files do not depend on how rows arrived. Small where rows hold
  // bodies.
  int64_t batch_rows = 4096;
  double bloom_false_positives = 0.01;
  OrcWriteOptions orc;
  // Raised as rows are written, to show progress. May be null.
  std::atomic<int64_t>* rows_written = nullptr;
};

class RowFileWriter {
 public:
  // Files are named `folder`/`prefix`-0.orc, -1.orc, …; the prefix is unique to the task's attempt.
  RowFileWriter(Store* store, std::string folder, std::string prefix, std::vector<ColumnSpec> columns,
                RowFileOptions options);
  ~RowFileWriter();

  // Opens a file unless one is open, and checks that `key` comes after the previous key.
  arrow::Status Begin(std::string_view key);
  // The batch to append the row to. REQUIRES: Begin was called before.
  BatchBuilder* batch() { return &batch_; }
  // Counts the row just appended; `bytes` are its codec bytes.
  arrow::Status End(std::string_view bytes, SidecarEntry entry);

  // Ends the last file, which gets its name only so. Called again, it returns the same receipts.
  arrow::Result<std::vector<FileReceipt>> Finish();

  int64_t rows() const { return rows_; }
  int64_t bytes() const { return bytes_; }

 private:
  arrow::Status OpenFile();
  arrow::Status CloseFile();
  arrow::Status OpenOrc(bool is_only_batch);
  arrow::Status FlushBatch(bool is_last);
  arrow::Status WriteSidecar();

  Store* store_;
  const std::string folder_;
  const std::string prefix_;
  const std::vector<ColumnSpec> columns_;
  const RowFileOptions options_;

  BatchBuilder batch_;
  size_t batch_bytes_ = 0;  // codec bytes of its rows
  SlotOfKeys slot_of_;
  uint32_t slot_ = 0;
  std::string key_;  // key of the last row

  std::unique_ptr<StoreWriter> file_;
  std::unique_ptr<OrcWriter> orc_;  // declared after file_, into which it writes
  SidecarBuilder sidecar_;
  FileReceipt receipt_;
  std::vector<FileReceipt> receipts_;
  int64_t rows_ = 0;
  int64_t bytes_ = 0;
};

}  // namespace trawl
