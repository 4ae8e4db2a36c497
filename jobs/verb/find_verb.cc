#include "jobs/verb/find_verb.h"

#include <algorithm>

namespace trawl {

namespace {

// The verb of a family that is meant where only the family is named.
constexpr const char* kImpliedVerbs[][2] = {{"config", "config get"}};

const Verb* ImpliedVerb(const std::vector<Verb>& verbs, const std::vector<std::string>& words) {
  const bool names_another = words.size() > 1 && (!words[1].starts_with('-') || IsHelp(words[1]));
  for (const auto& [family, verb] : kImpliedVerbs) {
    if (words[0] == family && !names_another) return FindVerb(verbs, verb);
  }
  return nullptr;
}

}  // namespace

const Verb* FindVerb(const std::vector<Verb>& verbs, const std::string& name) {
  const auto found = std::find_if(verbs.begin(), verbs.end(), [&name](const Verb& verb) { return verb.name == name; });
  return found == verbs.end() ? nullptr : &*found;
}

FoundVerb FindVerb(const std::vector<Verb>& verbs, const std::vector<std::string>& words) {
  if (words.size() >= 2) {
    if (const Verb* verb = FindVerb(verbs, words[0] + " " + words[1])) return {verb, 2};
  }
  if (!words.empty()) {
    if (const Verb* verb = FindVerb(verbs, words[0])) return {verb, 1};
    if (const Verb* verb = ImpliedVerb(verbs, words)) return {verb, 1};
  }
  return {};
}

bool IsOfFamily(const Verb& verb, std::string_view family) {
  return verb.name.size() > family.size() && verb.name.compare(0, family.size(), family) == 0 &&
         verb.name[family.size()] == ' ';
}

bool IsHelp(const std::string& word) { return word == "--help" || word == "-h" || word.starts_with(kHelpIs); }

}  // namespace trawl
