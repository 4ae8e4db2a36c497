// The option table as people read it: in `--help`, and as the docs page. Pure; any thread.
#pragma once

#include <string>

#include "runtime/options/resolve.h"

namespace trawl {

// One block of lines a group, with placeholders and defaults, each option under the shortest name that it answers to
// among `groups`; at the end how sizes, times and lists are written, where there are any.
std::string OptionsHelp(const OptionGroups& groups);

// A markdown table of the options of one group: name, what may be written, default, what it is.
std::string OptionsMarkdown(const AnyOptionGroup& group);

}  // namespace trawl
