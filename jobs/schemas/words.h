// The words of enumerations, as the program's own functions say them. Pure; any thread.
#pragma once

#include <string>
#include <vector>

namespace trawl {

// Those of "states" and "kinds" of URLs, "outcomes" of requests, "truncations" of bodies, "tiers", "signals" of pages; empty: there are
// none of that name.
std::vector<std::string> WordsNamed(const std::string& name);

}  // namespace trawl
