// Prints the option table for people: in `--help`, and as the docs page. Pure; any thread.
#pragma once

#include <string>

#include "runtime/options/resolve.h"

namespace trawl {

// Returns one block of lines per group, with placeholders and defaults, each option under its shortest name among
// `groups`; at the end, where they occur, how to write sizes, times and lists.
std::string OptionsHelp(const OptionGroups& groups);

// Returns a markdown table of the options of one group: name, allowed values, default, meaning.
std::string OptionsMarkdown(const AnyOptionGroup& group);

}  // namespace trawl
