// Versions of persistent formats. A format of a newer program is refused, never guessed at. Pure; any thread.
#pragma once

#include <cstdint>

#include "arrow/status.h"

namespace trawl {

// Invalid where the format is newer than `known`, the newest that this program knows. The caller adds the file's name.
arrow::Status CheckFormat(int64_t format, int64_t known);

}  // namespace trawl
