// `trawl task map` and `trawl task reduce`: the process that Hadoop Streaming starts for each task. Not for people.
//
// It reads the plan and the snapshot from the store and runs the task of the job that the plan names. It ends with 0,
// or with 3 after it has written the reason to standard error and to the job's folder, where the driver finds it.
#pragma once

namespace trawl {

bool IsTaskCommand(int argc, char** argv);

// Takes over standard output before it does anything else. Returns the exit code.
int RunTaskProcess(int argc, char** argv, char** environment);

}  // namespace trawl
