#include "jobs/program/help.h"

#include <algorithm>
#include <iterator>

#include "jobs/verb/find_verb.h"
#include "runtime/options/global.h"
#include "runtime/options/help.h"
#include "runtime/terminal/text.h"

namespace trawl {

namespace {

// The verbs that exit 1 where they find nothing; those with --idle_exit do so where nothing is due.
constexpr std::string_view kMayFindNothing[] = {"archive", "host", "page", "readdb get", "readseg get", "sitemaps"};

bool MayExitWithNothing(const Verb& verb) {
  const OptionGroups groups = GroupsOf(verb);
  return std::find(groups.begin(), groups.end(), &IdleOptionGroup()) != groups.end() ||
         std::find(std::begin(kMayFindNothing), std::end(kMayFindNothing), verb.name) != std::end(kMayFindNothing);
}

std::string ExitCodes(const std::vector<ExitMeaning>& meanings) {
  std::string out = "Exit codes:";
  for (const ExitMeaning& exit : meanings) {
    out += (out.back() == ':' ? " " : ", ") + std::to_string(exit.code) + " " + exit.meaning;
  }
  return WrapText(out + ".", kHelpColumns, 0) + "\n";
}

template <typename Keep>
size_t WidestName(const std::vector<Verb>& verbs, Keep keep) {
  size_t width = 0;
  for (const Verb& verb : verbs) width = keep(verb) ? std::max(width, verb.name.size()) : width;
  return width;
}

template <typename Keep>
std::string VerbLines(const std::vector<Verb>& verbs, size_t width, Keep keep) {
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

// Everything before the options.
std::string Introduction(const Verb& verb) {
  std::string out = "trawl " + verb.name + ": " + verb.summary + "\n\n" + UsageLine(verb) + "\n";
  if (!verb.description.empty()) out += WrapText(verb.description, kHelpColumns, 0) + "\n\n";
  return out + ExampleLines(verb);
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

const std::vector<PurposeTitle>& Purposes() {
  static const std::vector<PurposeTitle> purposes = {
      {VerbPurpose::kRun, "Start and run a crawl"},
      {VerbPurpose::kLook, "Look at it, and ask why"},
      {VerbPurpose::kSteer, "Steer it"},
      {VerbPurpose::kStep, "Run it step by step, under a scheduler (in this order)"},
      {VerbPurpose::kShrink, "Keep it small"},
      {VerbPurpose::kDiagnose, "See what ran, and find out what is wrong"},
  };
  return purposes;
}

std::vector<ExitMeaning> ExitMeanings() {
  return {{kExitDone, "done, now or before"},
          {kExitNothingDue, "nothing was due or found"},
          {kExitUsage, "wrong command line"},
          {kExitFailed, "failed"},
          {kExitConflict, "another command was faster"},
          {kExitStopped, "stopped (run the same command again to go on)"}};
}

std::vector<ExitMeaning> ExitMeanings(const Verb& verb) {
  std::vector<ExitMeaning> meanings = ExitMeanings();
  if (!MayExitWithNothing(verb)) {
    std::erase_if(meanings, [](const ExitMeaning& exit) { return exit.code == kExitNothingDue; });
  }
  return meanings;
}

std::string GeneralHelp(const std::vector<Verb>& verbs) {
  std::string out =
      "Trawl is a batch web crawler. A crawl lives in a folder (./crawl, unless --root\n"
      "names another), on HDFS or on S3, and continues wherever it was stopped.\n\n"
      "Usage: trawl VERB [OPTION]… [ARGUMENT]…\n\n"
      "Begin with:\n"
      "  trawl crawl https://www.example.com/ --contact you@your.example\n\n";
  const size_t width = WidestName(verbs, [](const Verb& verb) { return !verb.is_hidden; });
  for (const auto& [purpose, title] : Purposes()) {
    const std::string lines =
        VerbLines(verbs, width, [purpose](const Verb& verb) { return !verb.is_hidden && verb.purpose == purpose; });
    if (!lines.empty()) out += title + ":\n" + lines + "\n";
  }
  return out +
         "trawl VERB --help explains a verb and its most important options;\n"
         "trawl VERB --help all shows every option. trawl --version prints the version.\n" +
         ExitCodes(ExitMeanings());
}

std::string VerbHelp(const Verb& verb) {
  size_t hidden = 0;
  const auto is_main = [&verb, &hidden](const OptionSpec& option) {
    const bool is_shown = IsMainOption(verb, option);
    hidden += is_shown ? 0 : 1;
    return is_shown;
  };
  const std::string options = OptionsHelp(GroupsOf(verb), is_main);
  return Introduction(verb) + options + "trawl " + verb.name + " --help all shows " + std::to_string(hidden) +
         " more options, and the exit codes.\n";
}

std::string FullVerbHelp(const Verb& verb) {
  return Introduction(verb) + OptionsHelp(GroupsOf(verb)) + ExitCodes(ExitMeanings(verb));
}

std::string FamilyHelp(const std::vector<Verb>& verbs, std::string_view family) {
  const auto is_member = [family](const Verb& verb) { return IsOfFamily(verb, family); };
  const std::string lines = VerbLines(verbs, WidestName(verbs, is_member), is_member);
  if (lines.empty()) return "";
  const std::string name(family);
  return "Usage: trawl " + name + " VERB [OPTION]… [ARGUMENT]…\n\nVerbs:\n" + lines + "\ntrawl " + name +
         " VERB --help explains one of them.\n";
}

std::string OptionsPage(const std::vector<Verb>& verbs) {
  std::string out =
      "# Options\n\n"
      "`trawl docs` prints this page from the option table; a test keeps it current.\n\n"
      "`trawl VERB --help` shows the options that matter most for a verb, `trawl VERB --help all` every one.\n\n"
      "An option can be given in four places. If several of them name it, the first in this list wins:\n\n"
      "1. on the command line, as `--name value`, `--name=value`, `--flag` or `--no_flag`. The part before the dot may "
      "be left out\n"
      "   if no other option of the verb has the same last part: `--top_n` for `--generate.top_n`;\n"
      "2. in the environment, as `TRAWL_GROUP_NAME`: `TRAWL_GENERATE_TOP_N`;\n"
      "3. in the file that `--config` names, as a line `name = value` below a line `[group]`;\n"
      "4. in the settings of the crawl: `trawl config set generate.top_n=1000`.\n\n"
      "Sizes are written like `64MiB`, `1.5GiB` or `300KB`; durations like `30s`, `250ms`, `1h30m` or `7d`. The items "
      "of a list have\n"
      "commas between them (`\\,` is a comma within an item), or the option is given several times.\n";
  for (const AnyOptionGroup* group : AllGroups(verbs)) {
    const bool is_global = group == &GlobalOptionGroup();
    out += "\n## " + (group->prefix().empty() ? "" : "`" + group->prefix() + "` · ") + group->title() + "\n\n";
    out += is_global ? "Every verb has these. None of them can be a setting of the crawl.\n\n"
                     : VerbsWith(verbs, group) + "\n\n";
    out += OptionsMarkdown(*group);
  }
  return out;
}

}  // namespace trawl
