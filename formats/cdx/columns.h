// The columnar index of an archive: Common Crawl's table cc-index, one row per capture, as Parquet or ORC. The columns
// `crawl` and `subset` are in the path (crawl=NAME/subset=warc/part-00000.parquet). One thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arrow/io/type_fwd.h"
#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/cdx/capture_row.h"
#include "formats/tables/nullable_file.h"

namespace trawl {

// The names and types, in order: cc-index-schema-flat.json of 2025.
const std::vector<NullableColumn>& CaptureColumns();

class CaptureTable {
 public:
  // `sink` outlives the table and is not closed; `name` is for messages.
  static arrow::Result<std::unique_ptr<CaptureTable>> Make(std::shared_ptr<arrow::io::OutputStream> sink,
                                                           std::string name, NullableFormat format);

  // Invalid where the offset or length does not fit the column. REQUIRES: captures come in the order of their CDXJ lines.
  arrow::Status Add(const CaptureRow& capture);
  arrow::Status Close();
  int64_t rows() const { return rows_; }

 private:
  explicit CaptureTable(std::unique_ptr<NullableFile> file) : file_(std::move(file)) {}

  std::unique_ptr<NullableFile> file_;
  int64_t rows_ = 0;
};

}  // namespace trawl
