// Finds the content files of which present rows of urls point to less than half, for trawl compact --bodies. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"

namespace trawl {

struct SparseFile {
  std::string segment;
  std::string file;
  int64_t stored_bytes = 0;  // on disk
  int64_t bytes = 0;         // of its bodies
  int64_t bodies_pointed = 0;
  int64_t bytes_pointed = 0;
};

// Those of applied segments that were fetched before that time, in the order of the segments. A file that was left out of
// a store of bodies before is not among them, nor one that gc has removed.
arrow::Result<std::vector<SparseFile>> FindSparseFiles(Store* store, const Manifest& present, TimeMs before_ms,
                                                       const StopToken& stop);

// The names of content files by segment, for a plan and for the record of a store: {"SEGMENT": ["FILE", …]}.
Json NamesOf(const std::vector<SparseFile>& files);

// The files whose place a store of bodies of the manifest has taken, as its record says. No present row points to them.
arrow::Result<std::vector<std::string>> FilesReplacedBy(Store* store, const std::string& store_segment);

}  // namespace trawl
