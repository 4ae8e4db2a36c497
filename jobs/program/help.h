// The texts of `trawl --help` and `trawl VERB --help`, and the docs page of all options. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jobs/verb/verb.h"

namespace trawl {

// The purposes, in the order of the help text.
struct PurposeTitle {
  VerbPurpose purpose = VerbPurpose::kRun;
  std::string title;
};
const std::vector<PurposeTitle>& Purposes();

// The exit codes, and the ones of a verb.
struct ExitMeaning {
  int code = kExitDone;
  std::string meaning;
};
std::vector<ExitMeaning> ExitMeanings();
std::vector<ExitMeaning> ExitMeanings(const Verb& verb);

// The verbs by purpose, one line each, and where to go from here.
std::string GeneralHelp(const std::vector<Verb>& verbs);
// The purpose of the verb, examples, and its main options: about one screen.
std::string VerbHelp(const Verb& verb);
// The same with every option of the verb.
std::string FullVerbHelp(const Verb& verb);
// The verbs of two words that begin with `family`.
std::string FamilyHelp(const std::vector<Verb>& verbs, std::string_view family);
// The text of docs/options.md.
std::string OptionsPage(const std::vector<Verb>& verbs);

}  // namespace trawl
