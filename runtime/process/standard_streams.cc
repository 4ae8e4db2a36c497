#include "runtime/process/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

namespace trawl {

void OpenClosedStandardStreams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // The kernel gives the lowest free number, which is this one. Where opening fails, the first real file will say
    // why.
    [[maybe_unused]] const int opened = open("/dev/null", O_RDWR);
  }
}

}  // namespace trawl
