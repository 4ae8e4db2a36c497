#include "runtime/store/root.h"

#include <cstddef>

namespace trawl {

bool IsHadoopRoot(std::string_view root) {
  const size_t scheme_end = root.find("://");
  if (scheme_end == std::string_view::npos || scheme_end == 0) return false;
  const std::string_view scheme = root.substr(0, scheme_end);
  for (const std::string_view other : {"s3", "file", "http", "https"}) {
    if (scheme == other) return false;
  }
  return scheme.find('/') == std::string_view::npos;
}

}  // namespace trawl
