// Reads the pages of a segment whose bodies were stored for another URL of their list (FetchRow::shares_body), each by its
// own URL and header fields. One thread.
//
// A piece is read in turns of some thousand pages. Within a turn pages are read in the order in which their bodies lie, so
// a body is loaded once a turn, however many pages share it. It is parsed once for each: what a page says depends on its
// URL.
#pragma once

#include <memory>
#include <vector>

#include "arrow/status.h"
#include "formats/documents/receipt.h"
#include "formats/documents/step_record.h"
#include "formats/rows/content_row.h"
#include "formats/rows/fetch_row.h"
#include "jobs/parse/body_reader.h"
#include "runtime/root/dataset_rows.h"
#include "runtime/root/segment_data.h"

namespace trawl {

class SharedPages {
 public:
  // All must outlive it.
  SharedPages(Store* store, const StepRecord& fetched, BodyReader* reader);

  // The pages of these rows of a file of fetch.
  arrow::Status Read(const FileReceipt& file, const RowRange& rows);

 private:
  arrow::Status ReadTurn();

  Store* const store_;
  const StepRecord& fetched_;
  BodyReader& reader_;
  DatasetRows<ContentRow> bodies_;
  std::vector<FetchRow> turn_;
};

}  // namespace trawl
