// Whole WARC files, judged: `trawl check warc FILE…`.
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"
#include "jobs/verb/verb.h"

namespace trawl {

// Prints a line for each file: that it is valid, or its first fault. kExitFailed where one has a fault or cannot be read.
arrow::Result<int> RunWarcChecks(VerbContext& context, const std::vector<std::string>& files);

}  // namespace trawl
