// Reads the capture rows of an archive, file by file. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/cdx/capture_row.h"
#include "formats/documents/receipt.h"
#include "formats/rows/some_columns.h"
#include "formats/tables/orc.h"
#include "runtime/store/store.h"

namespace trawl {

// Opens a file of capture rows within `folder`.
arrow::Result<std::unique_ptr<OrcReader>> OpenCaptures(Store* store, const std::string& folder,
                                                       const FileReceipt& file);

// Calls `visit(const CaptureRow&)`, which returns a Status, for the rows of a file.
template <typename Visit>
arrow::Status ForEachCapture(Store* store, const std::string& folder, const FileReceipt& file, Visit&& visit,
                             const Columns<CaptureRow>& columns = {}) {
  constexpr int64_t kBatchRows = 4096;
  if (file.rows == 0) return arrow::Status::OK();
  ARROW_ASSIGN_OR_RAISE(const auto reader, OpenCaptures(store, folder, file));
  ARROW_RETURN_NOT_OK(reader->Scan(0, columns.Flags(), kBatchRows));
  ColumnBatch batch;
  CaptureRow row;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, reader->Next(&batch));
    if (!more) return arrow::Status::OK();
    for (int64_t i = 0; i < batch.rows; ++i) {
      ReadFromBatch(batch, i, &row);
      ARROW_RETURN_NOT_OK(visit(static_cast<const CaptureRow&>(row)));
    }
  }
}

// Returns up to `ranges` − 1 keys, increasing, that divide the files' rows into ranges of about equal size: a key belongs
// to the range that begins with the last of them that is not greater. No range is empty. Reads the keys of some rows;
// which ones depends on the files alone.
arrow::Result<std::vector<std::string>> SplitKeys(Store* store, const std::string& folder,
                                                  const std::vector<FileReceipt>& files, int64_t ranges);

// The number of the key's range.
int RangeOfKey(const std::vector<std::string>& splits, std::string_view key);

}  // namespace trawl
