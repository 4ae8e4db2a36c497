// A door of jobs/cdxindex: _SUCCESS, the file that says that all archives of a folder are finished. One thread.
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/archive_begin.h"
#include "runtime/store/store.h"

namespace trawl {

// A finished NAME.
struct FinishedArchive {
  std::string name;
  Json counts = Json::object();    // "records", "captures", "skipped"
  std::vector<ArchiveFile> files;  // all that others read, sorted by path
};

// Writes it for all finished names of the folder, in the order given. Whoever begins a name removes it first.
arrow::Status WriteSuccess(Store* to, const std::vector<FinishedArchive>& archives);
// Nothing where it is not there.
arrow::Result<std::vector<FinishedArchive>> ReadSuccess(Store* to);

}  // namespace trawl
