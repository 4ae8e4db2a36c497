// The binary. Everything it does is a verb: jobs/verbs.cc lists them, jobs/driver.h runs them.
#include <unistd.h>

#include "jobs/driver.h"

int main(int argc, char** argv) { return trawl::RunProcess(argc, argv, environ); }
