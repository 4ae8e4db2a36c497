// Paths inside a store: which are valid, and the names of unfinished files.
//
// A valid path is valid on every store: parts joined by '/', no leading or trailing '/', no empty part, no "." or "..",
// no ':' (HDFS refuses it), no backslash or control character, UTF-8, at most 255 bytes per part and 1,000 in all. Any
// thread.
#pragma once

#include <string>
#include <string_view>

#include "arrow/status.h"

namespace trawl {

// Returns Invalid, naming path and reason, unless `path` is a valid path of a file or folder.
arrow::Status CheckStorePath(std::string_view path);
// The same, but "" (the root) is a folder too.
arrow::Status CheckStoreFolder(std::string_view folder);

// Returns "" for a path of one part.
std::string ParentOf(std::string_view path);
std::string NameOf(std::string_view path);
// `folder` may be "".
std::string JoinPath(std::string_view folder, std::string_view name);

// Returns a name beside `path` for a file that is still being written, unique among all processes on all machines. A
// file that a killed process leaves under such a name is rubbish that only gc ever sees.
std::string TemporaryPathFor(std::string_view path);
bool IsTemporaryPath(std::string_view path);

}  // namespace trawl
