// Memory that the process has freed and still holds. Any thread.
#pragma once

namespace trawl {

// Gives it back to the system. It costs milliseconds: for between two jobs of one process, whose peaks would else add
// up.
void GiveBackFreeMemory();

}  // namespace trawl
