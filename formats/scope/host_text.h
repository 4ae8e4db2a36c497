// Host names as texts for a PrefixSet: one text begins another exactly where the hosts are the same, or where the
// second host is below the first.
#pragma once

#include <string>
#include <string_view>

#include "arrow/status.h"
#include "formats/url/key.h"

namespace trawl {

// "www.example.com/": begins another such text only where the hosts are the same, because no host contains '/'.
inline std::string WholeHostText(std::string_view host) { return std::string(host) + '/'; }

// "com,example,": begins "com,example,www,". An address has nothing below it and counts as one label. Empty for a host
// that a key cannot hold.
inline std::string HostLabelsText(std::string_view host) {
  const arrow::Result<std::string> part = HostPartOfHost(host);
  return part.ok() ? *part + ',' : std::string();
}

}  // namespace trawl
