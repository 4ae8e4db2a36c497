// The lines of a part of seeds. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/json.h"
#include "runtime/job/plan.h"
#include "runtime/store/store.h"

namespace trawl {

using SeedLineVisit = std::function<arrow::Status(const std::string& source, int64_t number, std::string_view line)>;

// Calls `visit` for each line of a part, without its line feed; a line is cut off after 1 MiB. A byte order mark at the
// beginning of a file is skipped. A file that is gzip is read as what it holds; IOError where it is damaged.
arrow::Status ForEachSeedLine(Store* store, const Plan& plan, const Json& part, const SeedLineVisit& visit);

// Gets a part's bytes in pieces, empty at its end. The piece lives until the next call.
using SeedPieces = std::function<arrow::Result<std::string_view>()>;
arrow::Result<SeedPieces> PiecesOfSeedPart(Store* store, const Plan& plan, const Json& part);

// The URL of a line: what stands before a tab. Empty for a line that is skipped.
std::string_view UrlOfSeedLine(std::string_view line);

}  // namespace trawl
