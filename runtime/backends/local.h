// The store on a local disk (or one mounted like it).
//
// A file is written without a name (O_TMPFILE) and linked to its name when it is whole. Where the file system has no
// unnamed files, it is written under a temporary name and renamed without replacing. Symbolic links are followed, but
// not by RemoveFolder. Any thread.
#pragma once

#include <memory>
#include <string>

#include "arrow/result.h"
#include "runtime/backends/local_draft.h"
#include "runtime/store/store.h"

namespace trawl {

// `root` is a path; a relative one starts at the current working folder.
arrow::Result<std::unique_ptr<Store>> OpenLocalStore(const std::string& root, const LocalDraftOptions& options);

}  // namespace trawl
