// The binary and its libraries for the cluster's nodes: one archive (scripts/bundle makes it), uploaded once.
#pragma once

#include <string>

#include "arrow/result.h"
#include "runtime/store/store.h"

namespace trawl {

// Returns the local file that --streaming.bundle names; for "" one that is found or made (runtime/bundle/bundle.h).
arrow::Result<std::string> LocalBundle(const std::string& wanted);

// Returns Hadoop's name of the archive that --streaming.bundle names, as above. An
// hdfs://… name stays as it is; a local file is uploaded to `work` under the digest of its content, unless it is there
// already.
arrow::Result<std::string> ShipBundle(const std::string& wanted, Store* work);

// Returns Hadoop's own name of a file of a store.
std::string HadoopName(const Store& store, const std::string& path);

}  // namespace trawl
