// Finds the content files whose bodies are too old to keep. One thread.
#pragma once

#include <functional>

#include "arrow/status.h"
#include "formats/documents/manifest.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"

namespace trawl {

struct OldBodies {
  TimeMs before_ms = 0;      // every body of the file was fetched before this time
  bool keep_latest = false;  // keeps the files that rows of the urls table point to
};

// Calls `visit` for each such content file of the segments that are applied. Their other files stay.
arrow::Status ForEachOldBodyFile(Store* store, const Manifest& present, const OldBodies& old, const StopToken& stop,
                                 const std::function<arrow::Status(const StoreEntry& file)>& visit);

}  // namespace trawl
