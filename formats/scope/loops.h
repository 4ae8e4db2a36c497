// Finds paths that run in circles. They come from a relative link that a server answers at every depth.
#pragma once

#include <string_view>

namespace trawl {

// True where a group of one to eight segments stands three times or more in succession anywhere in the path:
// "/a/b/a/b/a/b". An empty segment counts as one. Time is linear in the path; no memory is allocated.
bool HasRepeatedSegments(std::string_view path);

}  // namespace trawl
