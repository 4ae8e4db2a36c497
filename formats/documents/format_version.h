// Versions of persistent formats: what a newer program wrote is refused, never guessed at. Pure; any thread.
#pragma once

#include <cstdint>

#include "arrow/status.h"

namespace trawl {

// Invalid where the format is newer than the one that this program knows. The caller puts the file's name in front.
arrow::Status CheckFormat(int64_t format, int64_t known);

}  // namespace trawl
