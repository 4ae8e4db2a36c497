// The proof that a Hadoop file system refuses to rename onto a name that exists, which publishing depends on.
//
// HDFS is known to refuse. Behind other names (viewfs://, ofs://) may stand anything: an object store that copies and
// deletes, or a local disk, whose rename replaces.
#pragma once

#include <memory>
#include <string>

#include "arrow/status.h"
#include "runtime/backends/hdfs_draft.h"

namespace trawl {

// Lets several threads rename files to one name at once, some times over, with temporary names in `folder` that are
// removed again. OK where exactly one got the name each time; otherwise an error that says what came of it. Costs twenty
// small files.
arrow::Status ProveExclusiveRename(const std::shared_ptr<const Hdfs>& hdfs, const std::string& folder);

}  // namespace trawl
