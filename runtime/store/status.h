// The one distinction among a store's failures that callers decide by: "there is no such file", said by the store
// itself.
//
// A taken name is Arrow's own AlreadyExists. Pure; any thread.
#pragma once

#include <string>

#include "arrow/status.h"

namespace trawl {

// An IOError that IsNotFound knows. Context added to it with WithMessage keeps that.
arrow::Status FileNotFound(const std::string& name);
bool IsNotFound(const arrow::Status& status);

// What a failed system call means: FileNotFound for ENOENT, AlreadyExists for EEXIST, else an IOError like
// "writing /crawl/x: No space left on device".
arrow::Status ErrnoStatus(int error, const char* doing, const std::string& name);

}  // namespace trawl
