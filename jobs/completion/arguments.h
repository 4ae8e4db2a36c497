// What the arguments of a verb mean, read from its usage line: "[WHAT] DIR", "[HOST…|-]", "[KIND [ARGUMENT]…]". Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace trawl {

// The names and literal words ("DIR", "newest") that may stand after `before` other arguments, in the order of the
// line.
std::vector<std::string> ArgumentsAt(std::string_view arguments, size_t before);

}  // namespace trawl
