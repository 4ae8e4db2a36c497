// The links that are there now: the rows of outlinks whose pages are. One thread.
//
//  1. A page is there while its urls row says fetched, or failing: its last body is the newest that anybody has. A
//     duplicate is not: the page that stands for it has the same links, and they must not count twice.
//  2. What it links to is what its row of outlinks says. A page that was read before there was that table has no links
//     until it is read again.
#pragma once

#include <functional>
#include <string>

#include "arrow/status.h"
#include "formats/documents/manifest.h"
#include "formats/rows/outlinks_row.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

// Calls `visit` for the pages of the range in the order of the table; its columns and batches are not looked at.
arrow::Status ForEachPresentPage(
    Store* store, const Manifest& manifest, const ScanOptions& range, const StopToken& stop,
    const std::function<arrow::Status(const std::string& key, const OutlinksRow& page)>& visit);

}  // namespace trawl
