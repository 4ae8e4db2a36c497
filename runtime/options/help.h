// Prints the option table for people: in `--help`, and as the docs page. Pure; any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "runtime/options/resolve.h"

namespace trawl {

// Help is laid out for a terminal of 80 columns.
inline constexpr size_t kHelpColumns = 80;

// Returns one block of lines per group, with placeholders and defaults, each option under its shortest name among
// `groups`; at the end, where they occur, how to write sizes, times and lists.
std::string OptionsHelp(const OptionGroups& groups);

// The same for the options that `is_shown` picks, under the titles of their groups. Leaves out groups without any.
std::string OptionsHelp(const OptionGroups& groups, const std::function<bool(const OptionSpec&)>& is_shown);

// Returns a markdown table of the options of one group: name, allowed values, default, meaning.
std::string OptionsMarkdown(const AnyOptionGroup& group);

}  // namespace trawl
