// The scripts for bash, zsh and fish, and what they and the program say to each other.
//
// A script asks by one of
//
//   trawl completion words bash LINE REST WORD   LINE: up to the cursor; REST: after it; WORD: what bash replaces
//   trawl completion words zsh N WORD…           the words after the program, as typed; the cursor ends the Nth
//   trawl completion words fish LINE REST        as for bash
//
// and reads four lines and the candidates:
//
//   files                `words`, `files` or `folders`: the shell adds the paths itself. After it `open` where the
//                        word goes on after a candidate, so that no space follows
//   --config=            the beginning of the word that is no part of a path
//   my cr                the path as far as it was typed, without quotes
//   --config=            bash: the beginning of each candidate that stays as it was typed
//   WORD TAB TEXT        each candidate with a word about it. For bash, candidates have no text
//
// A candidate is never text for a shell to evaluate: it is a word of the table, or an id of harmless characters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trawl {

// bash, zsh and fish.
std::vector<std::string> CompletionShells();
// REQUIRES: `shell` is one of them.
std::string_view CompletionScript(std::string_view shell);

}  // namespace trawl
