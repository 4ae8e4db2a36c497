// Goes through what became of the URLs of a segment: each once. One thread.
#pragma once

#include <functional>
#include <string>

#include "arrow/status.h"
#include "formats/documents/step_record.h"
#include "formats/rows/fetch_row.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"

namespace trawl {

// Calls `visit` for the row that counts of each URL that fetch wrote about, task by task: the last one by time. Raw
// headers and the listed row are left out. `not_reached` is called for each URL of the lists behind it that has none;
// without `lists` (gc may have taken them) it is not.
arrow::Status ForEachFetched(Store* store, const StepRecord& fetched, const StepRecord* lists, const StopToken& stop,
                             const std::function<arrow::Status(const FetchRow& row)>& visit,
                             const std::function<arrow::Status(const std::string& key)>& not_reached);

}  // namespace trawl
