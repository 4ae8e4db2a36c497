// Makes sure that standard input, output and error are open, however the process was started. Call it before anything
// else.
#pragma once

namespace trawl {

// Opens /dev/null for each of the three that is closed. Otherwise the next file that is opened would take its number,
// and would be read or written in its place.
void OpenClosedStandardStreams();

}  // namespace trawl
