// Bodies that nobody wants to keep any longer. One thread.
#pragma once

#include <functional>

#include "arrow/status.h"
#include "formats/documents/manifest.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"

namespace trawl {

struct OldBodies {
  TimeMs before_ms = 0;      // every body of the file was fetched before
  bool keep_latest = false;  // not those that a row of the urls table points to
};

// Calls `visit` for each content file that goes, of the segments that are applied: what else of them is known stays.
arrow::Status ForEachOldBodyFile(Store* store, const Manifest& present, const OldBodies& old, const StopToken& stop,
                                 const std::function<arrow::Status(const StoreEntry& file)>& visit);

}  // namespace trawl
