// Whole files of the local disk, with a limit. Any thread.
#pragma once

#include <cstdint>
#include <string>

#include "arrow/result.h"

namespace trawl {

// The bytes of a file, which may also be a pipe. An IOError that begins with the path: there is no such file, it is a
// folder, it cannot be read, or it has more than `max_bytes` (a device: or more than 1 MiB). A pipe without a writer fails after 2 s,
// and one whose writer is silent after a minute.
arrow::Result<std::string> ReadLocalFile(const std::string& path, int64_t max_bytes);

// The same of a regular file alone: a pipe, folder or device fails at once.
arrow::Result<std::string> ReadRegularFile(const std::string& path, int64_t max_bytes);

}  // namespace trawl
