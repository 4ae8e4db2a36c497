// cluster.idx and cluster.loc, which tell where the blocks of all shards are. One thread.
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/cdx/zipnum.h"
#include "formats/documents/archive_begin.h"
#include "runtime/store/store.h"

namespace trawl {

// A task writes down the blocks of its shard, a line each; the driver makes cluster.idx of all of them, for it alone knows
// how many blocks come before.
void AppendBlock(const ZipNumBlock& block, std::string* out);

// Writes both files for those shards, increasing, whose blocks are at ClusterPart(). pywb looks for a shard beside
// cluster.loc.
arrow::Result<std::vector<ArchiveFile>> WriteCluster(Store* to, const std::string& name,
                                                     const std::vector<int>& shards);

}  // namespace trawl
