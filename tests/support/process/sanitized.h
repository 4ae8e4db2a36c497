// Whether a sanitizer is active: everything then takes several times as long, and memory figures change.
#pragma once

// g++ tells by these names, clang by __has_feature.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#if __has_feature(thread_sanitizer) && !defined(__SANITIZE_THREAD__)
#define __SANITIZE_THREAD__ 1
#endif
#endif

namespace trawl {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// The thread sanitizer ends a forked child of a process with threads as soon as the child starts threads itself.
#if defined(__SANITIZE_THREAD__)
constexpr bool kChildrenMayHaveThreads = false;
#else
constexpr bool kChildrenMayHaveThreads = true;
#endif

}  // namespace trawl
