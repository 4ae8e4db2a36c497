// The command line of a verb, behind the verb's name: `--name value`, `--name=value`, `--flag`, `--no_flag`, positional
// arguments between them, and `--`, behind which everything is positional.
//
// Every option answers to its full name, and to its bare noun where only one option of the verb has it: `--top_n` for
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

// UsageErrors: a name that no option of `groups` answers to, one that several do, a missing value. `verb` is for
// messages.
arrow::Result<CommandLine> ParseCommandLine(const std::string& verb, const OptionGroups& groups,
                                            const std::vector<std::string>& arguments);

// The shortest name that the option answers to among `groups`, without dashes.
std::string ShortestSpelling(const OptionGroups& groups, const OptionSpec& option);

}  // namespace trawl
