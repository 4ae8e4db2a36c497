// Finds paths that run in circles. They come from a relative link that a server answers at every depth.
#pragma once

#include <cstddef>
#include <string_view>

namespace trawl {

// The first place where a group of one to eight segments stands `times` times or more in succession: "/a/b/a/b/a/b" of
// "/x/a/b/a/b/a/b" where `times` is 3. Empty where there is none, or `times` is less than 2. An empty segment counts as
// one. Time is linear in the path; no memory is allocated.
std::string_view RepeatedSegments(std::string_view path, size_t times);

}  // namespace trawl
