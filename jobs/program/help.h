// What `trawl --help` and `trawl VERB --help` print, and the docs page of all options. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jobs/verb/verb.h"

namespace trawl {

// The verbs, a line each, and where to go from here.
std::string GeneralHelp(const std::vector<Verb>& verbs);
std::string VerbHelp(const Verb& verb);
// The verbs of two words that begin with `family`.
std::string FamilyHelp(const std::vector<Verb>& verbs, std::string_view family);
// docs/options.md.
std::string OptionsPage(const std::vector<Verb>& verbs);

}  // namespace trawl
