#include "jobs/program/help.h"

#include <algorithm>

#include "runtime/options/help.h"
#include "runtime/terminal/text.h"

namespace trawl {

namespace {

constexpr size_t kLineColumns = 100;
constexpr char kExitCodes[] =
    "Exit codes: 0 done, 1 nothing due, 2 usage, 3 failed, 4 conflict, 75 stopped: run it again to go on.\n";

bool IsOfFamily(const Verb& verb, std::string_view family) {
  return verb.name.size() > family.size() && verb.name.compare(0, family.size(), family) == 0 &&
         verb.name[family.size()] == ' ';
}

template <typename Keep>
std::string VerbLines(const std::vector<Verb>& verbs, Keep keep) {
  size_t width = 0;
  for (const Verb& verb : verbs) width = keep(verb) ? std::max(width, verb.name.size()) : width;
  std::string out;
  for (const Verb& verb : verbs) {
    if (!keep(verb)) continue;
    out += "  " + PadRight(verb.name, width + 3) + verb.summary + "\n";
  }
  return out;
}

std::string UsageLine(const Verb& verb) {
  return "Usage: trawl " + verb.name + " [OPTION]…" + (verb.arguments.empty() ? "" : " " + verb.arguments) + "\n";
}

std::string ExampleLines(const Verb& verb) {
  if (verb.examples.empty()) return "";
  std::string out = "Examples:\n";
  for (const VerbExample& example : verb.examples) {
    out += "  # " + example.what + "\n  " + example.command + "\n";
  }
  return out + "\n";
}

// "generate, crawl": the verbs that have the group.
std::string VerbsWith(const std::vector<Verb>& verbs, const AnyOptionGroup* group) {
  std::string out;
  for (const Verb& verb : verbs) {
    const OptionGroups groups = GroupsOf(verb);
    const bool has = std::find(groups.begin(), groups.end(), group) != groups.end();
    if (has) out += (out.empty() ? "`trawl " : ", `trawl ") + verb.name + "`";
  }
  return out;
}

}  // namespace

std::string GeneralHelp(const std::vector<Verb>& verbs) {
  return "Trawl is a batch web crawler: its verbs are the steps of a crawl, which lives in a folder, on HDFS or on "
         "S3.\n\n"
         "Usage: trawl VERB [OPTION]… [ARGUMENT]…\n\n"
         "Verbs:\n" +
         VerbLines(verbs, [](const Verb& verb) { return !verb.is_hidden; }) +
         "\n"
         "trawl VERB --help explains a verb and its options; trawl --version says which Trawl this is.\n" +
         kExitCodes;
}

std::string VerbHelp(const Verb& verb) {
  std::string out = "trawl " + verb.name + ": " + verb.summary + "\n\n" + UsageLine(verb) + "\n";
  if (!verb.description.empty()) out += WrapText(verb.description, kLineColumns, 0) + "\n\n";
  return out + ExampleLines(verb) + OptionsHelp(GroupsOf(verb)) + kExitCodes;
}

std::string FamilyHelp(const std::vector<Verb>& verbs, std::string_view family) {
  const std::string lines = VerbLines(verbs, [family](const Verb& verb) { return IsOfFamily(verb, family); });
  if (lines.empty()) return "";
  const std::string name(family);
  return "Usage: trawl " + name + " VERB [OPTION]… [ARGUMENT]…\n\nVerbs:\n" + lines + "\ntrawl " + name +
         " VERB --help explains one.\n";
}

std::string OptionsPage(const std::vector<Verb>& verbs) {
  std::string out =
      "# Options\n\n"
      "`trawl docs` prints this page from the option table; a test keeps it current.\n\n"
      "An option is given as `--name value`, `--name=value`, `--flag` or `--no_flag` on the command line, where the "
      "part before\n"
      "the dot may be left out if only one option of the verb ends so; as `TRAWL_GROUP_NAME` in the environment; as a "
      "line\n"
      "`name = value` below `[group]` in the file that `--config` names; or as a setting of the crawl. The first of "
      "these that\n"
      "says something wins. Sizes are like `64MiB`, `1.5GiB`, `300KB`; durations like `30s`, `250ms`, `1h30m`, `7d`. "
      "Lists have\n"
      "commas between their items (`\\,` is a comma within one), or are given several times.\n";
  for (const AnyOptionGroup* group : AllGroups(verbs)) {
    const bool is_global = group == &GlobalOptionGroup();
    out += "\n## " + (group->prefix().empty() ? "" : "`" + group->prefix() + "` · ") + group->title() + "\n\n";
    out +=
        is_global ? "Every verb has these; none can be a setting of the crawl.\n\n" : VerbsWith(verbs, group) + "\n\n";
    out += OptionsMarkdown(*group);
  }
  return out;
}

}  // namespace trawl
