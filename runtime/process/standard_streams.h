// Standard input, output and error as something, whatever the process was started with. Call it before anything else.
#pragma once

namespace trawl {

// Opens /dev/null for each of the three that is closed. Otherwise the next file that is opened takes its place, and is
// read or written for it.
void OpenClosedStandardStreams();

}  // namespace trawl
