// What trawl archive says of a NAME. Pure; any thread.
#pragma once

#include <string>

#include "formats/documents/json.h"
#include "jobs/archive/folder.h"

namespace trawl {

// REQUIRES: it is finished. "records" by type, "captures" by subset, "skipped" by reason, "bytes", "files".
Json ReportOf(const KnownArchive& archive, bool changed);
std::string ReportTextOf(const KnownArchive& archive, bool changed, const std::string& directory);

}  // namespace trawl
