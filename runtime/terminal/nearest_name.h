// Guesses which name somebody meant who typed one that does not exist. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trawl {

// Number of insertions, deletions, replacements and swaps of neighbours (each at most once per place) that turn one
// into the other.
int EditDistance(std::string_view a, std::string_view b);

// Returns the candidate nearest to `name`, the first of equals; empty where no candidate is near enough. A candidate
// that begins with `name`, or with which `name` begins, also counts as near. Names over 64 bytes have no nearest.
std::string NearestName(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace trawl
