// What a page asks of robots, by name. Pure; any thread.
#pragma once

#include <utility>
#include <vector>

#include "formats/rows/parse_row.h"

namespace trawl {

// The directives that are set: "noindex", "nofollow"…
inline std::vector<const char*> DirectivesOf(const ParseRow& row) {
  const std::pair<bool, const char*> flags[] = {{row.noindex, "noindex"},     {row.nofollow, "nofollow"},
                                                {row.noarchive, "noarchive"}, {row.nosnippet, "nosnippet"},
                                                {row.noai, "noai"},           {row.noimageai, "noimageai"}};
  std::vector<const char*> directives;
  for (const auto& [is_set, name] : flags) {
    if (is_set) directives.push_back(name);
  }
  return directives;
}

}  // namespace trawl
