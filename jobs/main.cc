// The binary. Everything it does is a verb: jobs/program/verbs.cc lists them, jobs/program/command.h runs them.
#include <unistd.h>

#include "jobs/program/command.h"
#include "jobs/program/task_process.h"
#include "runtime/process/free_memory.h"
#include "runtime/process/standard_streams.h"
#include "runtime/store/store.h"

int main(int argc, char** argv) {
  trawl::KeepFreedBlocks();
  trawl::OpenClosedStandardStreams();
  const int exit_code = trawl::IsTaskCommand(argc, argv) ? trawl::RunTaskProcess(argc, argv, environ)
                                                         : trawl::RunProcess(argc, argv, environ);
  trawl::ShutDownStores();
  return exit_code;
}
