// The config file: INI, as `[group]` lines and `noun = value` lines below them; names before the first group are whole.
//
//   threads = 4
//   [fetch]
//   delay_ms = 500     # everything from a # at the start of a line or behind a space is a comment
//
// A line of a list may be repeated; anything else may stand once. A value keeps its inner spaces; there is no quoting.
// Boost's reader is not used: its errors know no line numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "runtime/options/resolve.h"

namespace trawl {

// `file` is for messages alone. UsageErrors: a line that is neither, a name that is not among `known`, a repeated one.
arrow::Result<std::vector<OptionAssignment>> ParseOptionFile(std::string_view text, const std::string& file,
                                                             const OptionGroups& known);

// The same of a file on the local disk, of at most 1 MiB.
arrow::Result<std::vector<OptionAssignment>> LoadOptionFile(const std::string& path, const OptionGroups& known);

}  // namespace trawl
