// The door of jobs/program: leads from the command line to a verb, and from its outcome to an exit code.
#pragma once

#include <string>
#include <vector>

#include "arrow/status.h"
#include "jobs/verb/verb.h"

namespace trawl {

// Finds the verb at the beginning of `arguments` (without the program's name), reads its options and runs it. Help and
// versions go to `process.out`; a failure is one line "trawl: …" on `process.err`. Returns the exit code.
int RunCommand(const std::vector<Verb>& verbs, const std::vector<std::string>& arguments, ProcessContext& process);

// The exit code that a failed Status stands for.
int ExitCodeOf(const arrow::Status& status);

// Runs the whole process with its standard streams, signals and environment.
int RunProcess(int argc, char** argv, char** environment);

}  // namespace trawl
