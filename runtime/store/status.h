// The one distinction among a store's failures by which callers decide: "there is no such file", said by the store
// itself.
//
// For a taken name there is Arrow's own AlreadyExists. Pure; any thread.
#pragma once

#include <string>

#include "arrow/status.h"

namespace trawl {

// Returns an IOError that IsNotFound recognises, also after WithMessage has added context.
arrow::Status FileNotFound(const std::string& name);
bool IsNotFound(const arrow::Status& status);

// Translates a failed system call: FileNotFound for ENOENT, AlreadyExists for EEXIST, otherwise an IOError like
// "writing /crawl/x: No space left on device".
arrow::Status ErrnoStatus(int error, const char* doing, const std::string& name);

}  // namespace trawl
