// Which captures of an archive go into a share of it. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/cdx/capture_row.h"
#include "formats/documents/archive_begin.h"
#include "jobs/wacz/records.h"
#include "runtime/store/store.h"

namespace trawl {

// The capture rows of a NAME.
struct CapturesOfName {
  std::string name;
  std::vector<FileReceipt> files;
};

struct SharedCaptures {
  // In the order in which their records are copied: by file and offset.
  std::vector<CaptureRow> captures;
  int64_t originals = 0;   // of them: records that revisits need, though their URLs do not begin with the prefix
  int64_t unresolved = 0;  // revisits whose original is in none of the names
};

// Whether a URL begins with `prefix`, which may come without its scheme: then both http and https fit.
bool HasPrefix(std::string_view url, std::string_view prefix);

// Takes the captures of `name` whose URLs begin with `prefix`, but for robots.txt files, and the originals of their
// revisits, out of `name` or an `earlier` one. They are all in memory, so a UsageError where they are too many.
arrow::Result<SharedCaptures> SelectCaptures(Store* from, const CapturesOfName& name,
                                             const std::vector<CapturesOfName>& earlier, const std::string& prefix,
                                             RecordFiles* records);

}  // namespace trawl
