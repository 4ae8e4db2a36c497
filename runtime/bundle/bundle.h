// The door of runtime/bundle: the archive of this program and its libraries for the nodes of a cluster, found or made.
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"

namespace trawl {

// Where a bundle of this program may be, and what one can be made of.
struct BundlePlaces {
  std::string binary;  // this program
  std::string cache;   // the folder for bundles that are made; empty: none is kept, so none is made
};

// Those of this process: /proc/self/exe, and TRAWL_CACHE or ~/.cache/trawl.
BundlePlaces OwnBundlePlaces();

// Returns the path of an archive that holds this very program: the first of
//  1. trawl.tar.gz beside the program, or in one of the two folders above it, unless it is older than the program;
//  2. one that was made of this program before, in the cache;
//  3. one that is made now, into the cache: of the unpacked bundle that the program is part of (bin/, lib/, bundle.txt),
//     or by scripts/bundle of the checkout that the program was built in.
// Bundles in the cache that nobody used for 30 days are removed.
// UsageError, which says what to do, where there is none and none can be made.
arrow::Result<std::string> FindOrMakeBundle(const BundlePlaces& places);

}  // namespace trawl
