#include "runtime/process/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

namespace trawl {

void OpenClosedStandardStreams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // The least free number is this one. Where it cannot be had, the first real file will say why.
    [[maybe_unused]] const int opened = open("/dev/null", O_RDWR);
  }
}

}  // namespace trawl
