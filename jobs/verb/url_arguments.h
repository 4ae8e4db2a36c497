// Reads the URLs in a verb's arguments, and the beginnings of URLs in --prefix, as people type them. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/url/key.h"
#include "formats/url/normal.h"

namespace trawl {

// The key of the URL, however it is spelled. UsageError where it is no URL.
arrow::Result<std::string> KeyOfArgument(const std::string& argument, NormalForm form);

// The keys of the URLs with this beginning. Its origin may be spelled in any way ("HTTPS://A.example:443") and need no
// path; the rest is taken as it is. UsageError where no URL can begin so.
arrow::Result<KeyRange> KeysOfPrefix(const std::string& prefix, NormalForm form);

// Joins the prefixes that a list of options was cut into at its commas: a piece without a scheme belongs to the piece
// before.
std::vector<std::string> JoinPrefixes(const std::vector<std::string>& items);

}  // namespace trawl
