// Whether a sanitizer watches: everything takes several times as long, and memory is another's.
#pragma once

namespace trawl {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// The thread sanitizer ends a child of a process with threads as soon as it begins threads of its own.
#if defined(__SANITIZE_THREAD__)
constexpr bool kChildrenMayHaveThreads = false;
#else
constexpr bool kChildrenMayHaveThreads = true;
#endif

}  // namespace trawl
