// The numbers by which a fetch task names its hosts and its URLs, in the order in which they came.
#pragma once

#include <cstdint>

namespace trawl {

using HostNumber = uint32_t;
using UrlNumber = uint32_t;

}  // namespace trawl
