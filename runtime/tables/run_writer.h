// Writes rows of one type: one task's part of a run (in the order of the table) or of a dataset.
//
// A Row type of sorted files needs a function `SidecarEntry SidecarOf(const Row&)` beside it. One thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "formats/rows/row_codec.h"
#include "runtime/root/layout.h"
#include "runtime/tables/row_file_writer.h"

namespace trawl {

template <typename Row>
class RunWriter {
 public:
  RunWriter(Store* store, std::string folder, std::string prefix, RowFileOptions options)
      : files_(store, std::move(folder), std::move(prefix), ColumnsOf<Row>(), options) {}

  arrow::Status Append(const Row& row) {
    if constexpr (requires { row.key; }) {
      ARROW_RETURN_NOT_OK(files_.Begin(row.key));
    } else {
      ARROW_RETURN_NOT_OK(files_.Begin({}));
    }
    EncodeRow(row, &bytes_);
    AppendToBatch(row, files_.batch());
    if constexpr (requires { SidecarOf(row); }) {
      return files_.End(bytes_, SidecarOf(row));
    } else {
      return files_.End(bytes_, SidecarEntry{.state = 1});
    }
  }

  // Returns the receipts of all files, in order.
  arrow::Result<std::vector<FileReceipt>> Finish() { return files_.Finish(); }

  int64_t rows() const { return files_.rows(); }
  int64_t bytes() const { return files_.bytes(); }

 private:
  RowFileWriter files_;
  std::string bytes_;
};

}  // namespace trawl
