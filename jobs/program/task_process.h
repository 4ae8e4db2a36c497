// `trawl task map` and `trawl task reduce`: the process that Hadoop Streaming starts for each task. Not for people.
//
// It reads the plan and the snapshot from the store, runs the task of the job that the plan names, and ends with 0, or
// with 3 and its reason: on standard error and, where the driver finds it, in the job's folder.
#pragma once

namespace trawl {

bool IsTaskCommand(int argc, char** argv);

// Takes over standard output before it does anything else. Returns the exit code.
int RunTaskProcess(int argc, char** argv, char** environment);

}  // namespace trawl
