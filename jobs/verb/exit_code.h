// The exit codes of the process. They are a promise to scripts and schedulers: the numbers never change.
#pragma once

namespace trawl {

// Not a scoped enumeration, because exit() takes it as the number it is and `--idle_exit` sets other numbers.
enum ExitCode : int {
  kExitDone = 0,        // also where it had been done before
  kExitNothingDue = 1,  // there was nothing to do
  kExitUsage = 2,       // the command line makes no sense; nothing was touched
  kExitFailed = 3,      // also a crawl or round that asked and got no page, no 304 and no redirect
  kExitConflict = 4,    // other jobs published first, again and again
  kExitStopped = 75,    // stopped, run again to go on (EX_TEMPFAIL of sysexits.h)
};

}  // namespace trawl
