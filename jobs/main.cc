// The binary. Everything it does is a verb: jobs/verbs.cc lists them, jobs/driver.h runs them.
#include <unistd.h>

#include "jobs/driver.h"
#include "jobs/task_process.h"
#include "runtime/standard_streams.h"
#include "runtime/store.h"

int main(int argc, char** argv) {
  trawl::OpenClosedStandardStreams();
  const int exit_code = trawl::IsTaskCommand(argc, argv) ? trawl::RunTaskProcess(argc, argv, environ)
                                                         : trawl::RunProcess(argc, argv, environ);
  trawl::ShutDownStores();
  return exit_code;
}
