// What parse found in the bodies of one segment, looked up by the places of the bodies. Reads only the columns that are
// asked for. One thread; cheap where places ascend.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/rows/parse_row.h"
#include "formats/rows/some_columns.h"
#include "jobs/segment/pages.h"
#include "runtime/root/segment_data.h"

namespace trawl {

class ParseFacts {
 public:
  // `columns` must have body_digest. `store` outlives the object. A segment without a record of parse has no facts.
  static arrow::Result<ParseFacts> Open(Store* store, const std::string& segment, Columns<ParseRow> columns,
                                        int64_t batch_rows);

  // False where the body was not parsed. The row is that of the URL for which the body was stored.
  arrow::Result<bool> Find(const std::string& content_file, int64_t content_row, const std::string& body_digest,
                           ParseRow* row);

 private:
  ParseFacts(Store* store, std::string segment, Columns<ParseRow> columns, int64_t batch_rows)
      : store_(store), segment_(std::move(segment)), columns_(columns), batch_rows_(batch_rows) {}
  arrow::Status OpenFile(const std::string& file);

  Store* store_;
  std::string segment_;
  Columns<ParseRow> columns_;
  int64_t batch_rows_;
  std::unique_ptr<SegmentPages> pages_;  // null: no facts
  std::vector<FileReceipt> files_;
  std::string file_;
  std::unique_ptr<OrcReader> reader_;
  ColumnBatch batch_;
};

}  // namespace trawl
