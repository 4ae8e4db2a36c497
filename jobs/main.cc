// The binary. Everything it does is a verb: jobs/verbs.cc lists them, jobs/driver.h runs them.
#include <unistd.h>

#include "jobs/driver.h"
#include "runtime/store.h"

int main(int argc, char** argv) {
  const int exit_code = trawl::RunProcess(argc, argv, environ);
  trawl::ShutDownStores();
  return exit_code;
}
