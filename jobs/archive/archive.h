// The door of jobs/archive: trawl archive, as its verb calls it. Start at the header of archive.cc, which tells of its
// three jobs.
#pragma once

#include "jobs/verb/verb.h"

namespace trawl {

Verb ArchiveVerb();

}  // namespace trawl
