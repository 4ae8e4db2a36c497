// The option table as people read it: in `--help`, and as the docs page. Pure; any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "runtime/options/resolve.h"

namespace trawl {

// Help is laid out for a terminal of 80 columns.
inline constexpr size_t kHelpColumns = 80;

// One block of lines per group, with placeholders and defaults, each option under the shortest name that it answers to
// among `groups`; at the end how sizes, times and lists are written, where there are any.
std::string OptionsHelp(const OptionGroups& groups);

// The same for the options that `is_shown` picks, under the titles of their groups alone. Groups with none are left out.
std::string OptionsHelp(const OptionGroups& groups, const std::function<bool(const OptionSpec&)>& is_shown);

// A markdown table of the options of one group: name, what may be written, default, what it is.
std::string OptionsMarkdown(const AnyOptionGroup& group);

}  // namespace trawl
