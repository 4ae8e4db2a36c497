// For text that goes to a terminal on which another thread shows a live line (progress.h).
#pragma once

namespace trawl {

// Takes the line away where the descriptor is a terminal that can show one; it comes again by itself. Does nothing
// elsewhere, and where the terminal takes nothing at the moment.
void ClearLiveLine(int fd);

}  // namespace trawl
