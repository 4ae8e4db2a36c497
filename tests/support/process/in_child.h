// Runs code in a process of its own, for tests that must change settings of the whole process: user, environment,
// mounts, limits.
#pragma once

#include <functional>
#include <string>

namespace trawl {

// Runs `body` in a forked process, which then ends. `body` returns what went wrong, or "". If the child ended in
// another way, the result says so at its end.
std::string InChild(const std::function<std::string()>& body);

}  // namespace trawl
