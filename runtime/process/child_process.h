// Runs another program to its end and keeps what it prints.
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"
#include "runtime/process/stop.h"

namespace trawl {

struct ChildRequest {
  std::vector<std::string> command;  // the program, by path or by the PATH, and its arguments
  StopToken stop;
};

struct ChildResult {
  int exit_code = -1;  // 128 + N where signal N ended it
  std::string out;     // the last of it, where it is much
  std::string err;
};

// Without standard input. The child dies with us; asked to stop, we end it (SIGTERM) and say what it printed until
// then.
arrow::Result<ChildResult> RunChild(const ChildRequest& request);

}  // namespace trawl
