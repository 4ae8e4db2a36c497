// Writes a file that a user named: an answer of a verb, outside of the crawl's root.
#pragma once

#include <string>
#include <string_view>

#include "arrow/status.h"

namespace trawl {

// A file that is there stays as it is until the new one is whole, and is then replaced. What is no file, such as a pipe or
// a device, is written to. The error names the file.
arrow::Status WriteWholeFile(const std::string& path, std::string_view bytes);

}  // namespace trawl
