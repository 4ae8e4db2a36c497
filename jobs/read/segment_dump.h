// Visits the outcome of each URL of a segment once. One thread.
#pragma once

#include <functional>
#include <string>

#include "arrow/status.h"
#include "formats/documents/step_record.h"
#include "formats/rows/fetch_row.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"

namespace trawl {

// Calls `visit` for the row that counts of each URL, task by task: the last one by time, without raw headers and the
// listed row. After each task it calls `not_reached` for the URLs of its list that have no row. Pass no `lists` where
// gc has removed them.
arrow::Status ForEachFetched(Store* store, const StepRecord& fetched, const StepRecord* lists, const StopToken& stop,
                             const std::function<arrow::Status(const FetchRow& row)>& visit,
                             const std::function<arrow::Status(const std::string& key)>& not_reached);

}  // namespace trawl
