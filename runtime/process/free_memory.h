// Memory that the process has freed but still holds. Any thread.
#pragma once

namespace trawl {

// Gives it back to the system. This costs milliseconds; it is meant for the time between two jobs of one process, whose
// peaks would otherwise add up.
void GiveBackFreeMemory();

// Sets how the process keeps freed memory; main calls it once. Blocks of ORC's writers and of its compression are kept
// and used again: mapped anew for each block, they took a third of parse's CPU time in the kernel. Larger blocks, such
// as bodies, go back at once, so that they leave no holes among small ones.
void KeepFreedBlocks();

// While it lives, freed blocks of writers go back to the system, too: for a job with many tasks at once, each of which
// would keep its own. One at a time.
class ReturnFreedBlocks {
 public:
  ReturnFreedBlocks();
  ~ReturnFreedBlocks();
  ReturnFreedBlocks(const ReturnFreedBlocks&) = delete;
  ReturnFreedBlocks& operator=(const ReturnFreedBlocks&) = delete;
};

}  // namespace trawl
