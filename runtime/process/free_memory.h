// Memory that the process has freed but still holds. Any thread.
#pragma once

namespace trawl {

// Gives it back to the system. This costs milliseconds; it is meant for the time between two jobs of one process, whose
// peaks would otherwise add up.
void GiveBackFreeMemory();

}  // namespace trawl
