// Who this process is, and whether another one of this machine is gone. Any thread.
#pragma once

#include "formats/attempt_entry.h"

namespace trawl {

ProcessIdentity OwnProcess();

// Whether that process has surely ended: it ran on this boot of this machine, where its number is nobody's now or
// another's. False where nothing is known, as of every other machine.
bool IsKnownDead(const ProcessIdentity& process);

}  // namespace trawl
