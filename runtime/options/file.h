// The config file. It is INI: `[group]` lines, and `noun = value` lines below them; names before the first group are
// full names.
//
//   threads = 4
//   [fetch]
//   delay_ms = 500     # everything from a # at the start of a line or after a space is a comment
//
// A line of a list option may be repeated; any other may stand once. A value keeps its inner spaces; there is no
// quoting. We do not use Boost's reader, because its errors have no line numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "runtime/options/resolve.h"

namespace trawl {

// `file` is only for messages. UsageErrors: a malformed line, a name that is not among `known`, a repeated name.
arrow::Result<std::vector<OptionAssignment>> ParseOptionFile(std::string_view text, const std::string& file,
                                                             const OptionGroups& known);

// The same for a file on the local disk, of at most 1 MiB.
arrow::Result<std::vector<OptionAssignment>> LoadOptionFile(const std::string& path, const OptionGroups& known);

}  // namespace trawl
