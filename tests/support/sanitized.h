// Whether a sanitizer watches: everything takes several times as long, and memory is another's.
#pragma once

namespace trawl {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

}  // namespace trawl
