#include "runtime/terminal/live_line.h"

#include "runtime/process/clock.h"
#include "runtime/terminal/progress.h"

namespace trawl {

void ClearLiveLine(int fd) {
  ProgressPrinter({.mode = ChooseProgressMode(fd, /*is_quiet=*/false), .fd = fd}, SystemClock(), [] {
    return "";
  }).Finish();
}

}  // namespace trawl
