// Who this process is, and whether another one of this machine is gone. Any thread.
#pragma once

#include "formats/documents/process_identity.h"

namespace trawl {

ProcessIdentity OwnProcess();

// Whether it ran, or runs, on this boot of this machine, in this space of process ids: only then is it known whether it
// is gone.
bool IsOfThisMachine(const ProcessIdentity& process);

// Whether that process has surely ended: it ran on this boot of this machine, where its number is nobody's now or
// another's. False where nothing is known, as of every other machine.
bool IsKnownDead(const ProcessIdentity& process);

}  // namespace trawl
