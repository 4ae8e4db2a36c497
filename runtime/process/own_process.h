// Says who this process is, and whether another process of this machine has ended. Any thread.
#pragma once

#include <string>

#include "formats/documents/process_identity.h"

namespace trawl {

ProcessIdentity OwnProcess();

// A variable of its environment; empty where it is not set.
std::string Environment(const char* name);

// Whether the process ran, or runs, on this boot of this machine and in this space of process ids. Only then can we
// know whether it has ended.
bool IsOfThisMachine(const ProcessIdentity& process);

// Whether that process has surely ended: it ran on this boot of this machine, and its number now belongs to no process
// or to another one. False where nothing is known, for example about a process of another machine.
bool IsKnownDead(const ProcessIdentity& process);

}  // namespace trawl
