// A process of its own for a test that must change what belongs to the whole process: user, environment, mounts,
// limits.
#pragma once

#include <functional>
#include <string>

namespace trawl {

// Runs `body` in a forked process, which then ends. What it returns is what went wrong, "" if nothing did; that the
// child ended in another way goes behind it.
std::string InChild(const std::function<std::string()>& body);

}  // namespace trawl
