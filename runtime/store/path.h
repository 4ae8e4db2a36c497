// Paths inside a store: what a valid one is, and the names of files that are not finished.
//
// Valid on every store at once: parts joined by '/', no leading or trailing '/', no empty part, no "." or "..", no ':'
// (HDFS refuses it), no backslash or control character, UTF-8, at most 255 bytes a part and 1,000 in all. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "arrow/status.h"

namespace trawl {

// Invalid, naming path and reason, unless `path` is a valid file's or folder's.
arrow::Status CheckStorePath(std::string_view path);
// The same, but "" (the root) is a folder too.
arrow::Status CheckStoreFolder(std::string_view folder);

// "" for a path of one part.
std::string ParentOf(std::string_view path);
std::string NameOf(std::string_view path);
// `folder` may be "".
std::string JoinPath(std::string_view folder, std::string_view name);

// A name beside `path` for a file that is still being written, unique among all processes on all machines. What a
// killed process leaves under such a name is rubbish that only gc ever sees.
std::string TemporaryPathFor(std::string_view path);
bool IsTemporaryPath(std::string_view path);

}  // namespace trawl
