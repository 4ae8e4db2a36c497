// Binary and libraries for the cluster's nodes: one archive (scripts/bundle makes it), uploaded once.
#pragma once

#include <string>

#include "arrow/result.h"
#include "runtime/store/store.h"

namespace trawl {

// The archive that --streaming.bundle names ("" for the one beside the binary or above it), as Hadoop finds it: an
// hdfs://… name as it is, a local file uploaded to `work` under the digest of its content, unless it is there already.
arrow::Result<std::string> ShipBundle(const std::string& wanted, Store* work);

// The name of a file of a store as Hadoop's own.
std::string HadoopName(const Store& store, const std::string& path);

}  // namespace trawl
