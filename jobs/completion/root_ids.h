// The ids of a crawl on this machine, by the names of its files: no file of it is read, and nothing is written. Any
// thread.
#pragma once

#include <string>
#include <vector>

#include "jobs/completion/candidates.h"

namespace trawl {

// The newest come first, and no more than a thousand. Empty where the root is not on this machine, is not there or has
// none. Names that are no ids are left out, so that no id means anything to a shell.
//
// The root is that of the line, of TRAWL_ROOT, of the config file that the line or TRAWL_CONFIG names, or ./crawl, in
// this order, as for every verb. `environment` are NAME=VALUE lines; `known` are all groups.
std::vector<std::string> IdsOfRoot(ValueKind kind, const TypedCrawl& crawl, const std::vector<std::string>& environment,
                                   const OptionGroups& known);

}  // namespace trawl
