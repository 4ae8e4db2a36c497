// The sitemaps and feeds of a host that the crawl knows, as trawl sitemaps lists them. One thread.
#pragma once

#include <functional>
#include <string>

#include "arrow/status.h"
#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"

namespace trawl {

// Calls `visit` with an object for each: "url", "kind", "type", "state", "status", "entries", "read", "changed", "interval_ms", "next",
// "named_by", "lastmod", "believed", "trust". `host_part` is that of the keys.
arrow::Status ForEachSitemap(Store* store, const Manifest& snapshot, const std::string& host_part,
                             const StopToken& stop, const std::function<arrow::Status(const Json& row)>& visit);

}  // namespace trawl
