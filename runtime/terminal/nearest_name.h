// What somebody probably meant who typed a name that does not exist. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trawl {

// Insertions, deletions, replacements and swaps of neighbours (each at most once a place) that turn one into the other.
int EditDistance(std::string_view a, std::string_view b);

// The candidate nearest to `name`, the first of equals; empty where none is near enough to be meant. A candidate that
// `name` begins or that begins `name` also counts as near. Names over 64 bytes have no nearest.
std::string NearestName(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace trawl
