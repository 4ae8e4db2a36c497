// Rows and runs of the urls table for tests.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/rows/url_row.h"
#include "formats/url/slot_range.h"
#include "runtime/root/snapshot.h"
#include "runtime/store/store.h"
#include "runtime/tables/row_file_writer.h"

namespace trawl {

// Compares rows by the order of a table.
struct RowPlaceLess {
  bool operator()(const std::string& a, const std::string& b) const;
};
using RowsByPlace = std::map<std::string, UrlRow, RowPlaceLess>;

// A page's row; `version` shows in its score.
UrlRow MakeUrlRow(const std::string& key, int version = 0);

// The key of page `page` of host `host`. The hosts' names have several shapes.
std::string MakeKey(int host, int page);

// Writes the rows as one run, in files of up to `file_rows` rows.
arrow::Result<RunReference> WriteUrlRun(Store* store, const std::string& run, const RowsByPlace& rows,
                                        RowFileOptions options = {});

}  // namespace trawl
