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
  std::string out;     // the end of it, where it is long
  std::string err;
};

// The child has no standard input. It dies with us. When we are asked to stop, we end it (SIGTERM), and the error says
// what it printed until then.
arrow::Result<ChildResult> RunChild(const ChildRequest& request);

}  // namespace trawl
