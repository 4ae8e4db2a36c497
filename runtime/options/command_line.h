// Parses the command line of a verb, after the verb's name: `--name value`, `--name=value`, `--flag`, `--no_flag`,
// positional arguments between them, and `--`, after which everything is positional.
//
// Every option has its full name, and also its bare noun where only one option of the verb has that noun: `--top_n` for
// `--generate.top_n`. Full names win over bare nouns. This is the door of Boost.Program_options.
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"
#include "runtime/options/resolve.h"

namespace trawl {

struct CommandLine {
  std::vector<OptionAssignment> assignments;
  std::vector<std::string> positional;
};

// UsageErrors: a name that fits no option of `groups`, a name that fits several, a missing value. `verb` is for
// messages.
arrow::Result<CommandLine> ParseCommandLine(const std::string& verb, const OptionGroups& groups,
                                            const std::vector<std::string>& arguments);

// A name that stands for an option on the command line.
struct OptionName {
  std::string name;  // without dashes
  const OptionSpec* option = nullptr;
  bool is_negation = false;  // `--no_flag`
  bool is_shortest = false;  // or the negation of the shortest
};
// Every name that stands for exactly one option of `groups`, in the order of the options.
std::vector<OptionName> OptionNames(const OptionGroups& groups);

// The short form of --output, where a verb has that option.
inline constexpr char kShortOutput[] = "-o";

// Returns the option's shortest name among `groups`, without dashes.
std::string ShortestSpelling(const OptionGroups& groups, const OptionSpec& option);

}  // namespace trawl
