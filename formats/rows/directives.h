// What a page asks of robots, by name. Pure; any thread.
//
// UrlRow::signals has a bit for each directive, in the order in which kSignalNames lists them; bits are for ever.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <string>
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

inline constexpr std::array<const char*, 10> kSignalNames = {"noindex",     "nofollow",  "noarchive",    "nosnippet",
                                                             "noai",        "noimageai", "tdm-reserved", "no-ai-train",
                                                             "no-ai-input", "no-search"};

// "noindex,noarchive"
inline std::string SignalsText(int32_t signals) {
  std::string text;
  for (size_t bit = 0; bit < std::size(kSignalNames); ++bit) {
    if ((signals >> bit & 1) == 0) continue;
    text += (text.empty() ? "" : ",") + std::string(kSignalNames[bit]);
  }
  return text;
}

}  // namespace trawl
