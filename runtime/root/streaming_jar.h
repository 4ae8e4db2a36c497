// The place of hadoop-streaming's jar in a crawl's root, beside the bundles of runtime/root/layout.h. Pure; any thread.
//
//   _bundles/<digest>/job.jar     the name that MapReduce's class paths ask for
#pragma once

#include <string>

#include "runtime/root/layout.h"

namespace trawl {

inline std::string StreamingJarPath(const std::string& digest) {
  std::string folder = BundlePath(digest);
  folder.resize(folder.find('.'));
  return folder + "/job.jar";
}

}  // namespace trawl
