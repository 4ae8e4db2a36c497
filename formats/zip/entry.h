// Reads one entry of a ZIP file that is in memory, such as a jar: stored or deflated, of 32-bit sizes. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "arrow/result.h"

namespace trawl {

// Returns the entry's content. KeyError where the file has no such entry; Invalid where it is no ZIP file, is damaged, or
// keeps the entry in another way; CapacityError where the content is longer than `max_bytes`.
arrow::Result<std::string> ReadZipEntry(std::string_view file, std::string_view name, size_t max_bytes);

}  // namespace trawl
