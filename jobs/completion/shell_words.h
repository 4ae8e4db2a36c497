// The words of a command line that is being typed, as the shells read them: blanks separate, quotes and backslashes are
// taken off, and nothing is expanded or run. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trawl {

enum class ShellKind { kBash, kZsh, kFish };

// The words up to the end of the line, with the last one, which is empty after a blank. Redirections (`> FILE`) are
// left out, unless the line ends in one: then its word is the last, and `in_redirection` is set.
struct ShellWords {
  std::vector<std::string> words;
  bool in_redirection = false;
};
ShellWords SplitShellLine(std::string_view line, ShellKind shell);

// The text of one word; a quote that was not closed goes to its end.
std::string WithoutQuotes(std::string_view word, ShellKind shell);

}  // namespace trawl
