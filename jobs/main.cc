// The binary. Everything it does is a verb: jobs/program/verbs.cc lists them, jobs/program/command.h runs them.
#include <malloc.h>
#include <unistd.h>

#include "jobs/program/command.h"
#include "jobs/program/task_process.h"
#include "runtime/process/standard_streams.h"
#include "runtime/store/store.h"

namespace {

// glibc begins with this and raises it by itself to the largest block that was freed, up to 32 MiB: bodies, and the
// buffers of ORC's writers, would then lie among small blocks and leave holes of their size.
constexpr int kLargeBlockBytes = 128 << 10;

}  // namespace

int main(int argc, char** argv) {
  mallopt(M_MMAP_THRESHOLD, kLargeBlockBytes);
  trawl::OpenClosedStandardStreams();
  const int exit_code = trawl::IsTaskCommand(argc, argv) ? trawl::RunTaskProcess(argc, argv, environ)
                                                         : trawl::RunProcess(argc, argv, environ);
  trawl::ShutDownStores();
  return exit_code;
}
