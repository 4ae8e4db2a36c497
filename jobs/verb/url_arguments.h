// URLs that a verb's arguments name, and beginnings of URLs that --prefix names, as people type them. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/url/key.h"
#include "formats/url/normal.h"

namespace trawl {

// The key of the URL, in whichever way it is spelled. UsageError for what is no URL.
arrow::Result<std::string> KeyOfArgument(const std::string& argument, NormalForm form);

// The keys of the URLs that begin so. Its origin may be spelled in any way ("HTTPS://A.example:443") and stand without
// a path; the rest counts as it is. UsageError for what is no URL's beginning.
arrow::Result<KeyRange> KeysOfPrefix(const std::string& prefix, NormalForm form);

// The prefixes that a list of options was cut into at its commas: what has no scheme belongs to the one before.
std::vector<std::string> JoinPrefixes(const std::vector<std::string>& items);

}  // namespace trawl
