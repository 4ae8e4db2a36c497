// The door of jobs/completion: what a shell may offer at the end of a command line that is being typed.
//
// `trawl completion SHELL` prints a small script. At each Tab the script calls `trawl completion words …` and gives
// the answer to its shell. The answer comes from the list of verbs and the option table, and ids come from the names
// of files in a root on this machine. It writes nothing, opens no store, and says nothing on standard error.
#pragma once

#include <string>
#include <vector>

#include "jobs/verb/verb.h"

namespace trawl {

// Whether a script asks: the words begin with `completion words`.
bool IsCompletionRequest(const std::vector<std::string>& words);

// The answer to a script, in the form that jobs/completion/scripts.h describes; empty where nothing can be offered.
// `environment` are NAME=VALUE lines.
std::string AnswerCompletion(const std::vector<Verb>& verbs, const std::vector<std::string>& words,
                             const std::vector<std::string>& environment);

}  // namespace trawl
