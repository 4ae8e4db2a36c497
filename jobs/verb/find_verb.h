// Finds the verb that a command line begins with. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jobs/verb/verb.h"

namespace trawl {

// Null where there is no verb of that name.
const Verb* FindVerb(const std::vector<Verb>& verbs, const std::string& name);

// The verb that the words begin with, and how many of them are its name. A name of two words wins over one of one,
// and a family that is named alone may mean one of its verbs: `config` means `config get`.
struct FoundVerb {
  const Verb* verb = nullptr;
  size_t words = 0;
};
FoundVerb FindVerb(const std::vector<Verb>& verbs, const std::vector<std::string>& words);

// Whether the verb has two words, the first of which is `family`.
bool IsOfFamily(const Verb& verb, std::string_view family);

// --help, -h or --help=TOPIC.
bool IsHelp(const std::string& word);
inline constexpr char kHelpIs[] = "--help=";
// The one topic.
inline constexpr char kAll[] = "all";

}  // namespace trawl
