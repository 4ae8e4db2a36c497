// The driver over verbs made for the test: which verb is meant, what it gets, and what its outcome becomes.
#include "jobs/program/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "jobs/policy/advice.h"
#include "jobs/program/help.h"
#include "runtime/options/global.h"
#include "runtime/process/status_detail.h"
#include "runtime/terminal/text.h"
#include "tests/support/process/manual_clock.h"

namespace trawl {
namespace {

using arrow::Result;
using arrow::Status;
using ::testing::HasSubstr;
using ::testing::Not;

struct PickOptions {
  int32_t top_n = 100;
  std::string fail;
};
const OptionGroup<PickOptions>& PickGroup() {
  static const auto group = OptionGroup<PickOptions>("pick", "Picking")
                                .Int("top_n", &PickOptions::top_n, "how many to pick", Between(1, 1000))
                                .Main()
                                .String("fail", &PickOptions::fail, "how to fail");
  return group;
}

Result<int> RunPick(VerbContext& context) {
  ARROW_RETURN_NOT_OK(context.UseSettings({{"pick.top_n", "7"}}, "settings of snapshot 1"));
  ARROW_ASSIGN_OR_RAISE(const PickOptions options, context.Read(PickGroup()));
  if (options.fail == "damage") return Status::Invalid("manifest\nis damaged");
  if (options.fail == "usage") return UsageError("x");
  if (options.fail == "conflict") return ConflictError("x");
  if (options.fail == "stop") return context.process.stop.Check();
  if (options.fail == "idle") return 99;
  if (options.fail == "closed") return StatusOfKind(StatusKind::kOutputClosed, "x");
  std::string text = "top " + std::to_string(options.top_n);
  for (const std::string& argument : context.arguments) text += " " + argument;
  ARROW_RETURN_NOT_OK(context.Summarize({{"top_n", options.top_n}}, text + "\n"));
  return kExitDone;
}

Result<int> RunLook(VerbContext& context) {
  ARROW_RETURN_NOT_OK(
      context.Answer({{"now", context.global.now_ms}}, "at " + context.options.texts().at("now") + "\n"));
  return kExitDone;
}

const std::vector<Verb>& TestVerbs() {
  static const std::vector<Verb> verbs = {
      {.name = "pick",
       .summary = "pick some",
       .arguments = "[NAME]…",
       .most_arguments = 2,
       .description = "Picks the best.",
       .examples = {{"Only ten", "trawl pick --top_n 10"}},
       .groups = {&PickGroup()},
       .run = RunPick},
      {.name = "look stats", .summary = "count", .groups = {&ReadingOptionGroup()}, .run = RunLook},
      {.name = "look get",
       .summary = "show one",
       .arguments = "URL",
       .least_arguments = 1,
       .most_arguments = 1,
       .run = RunLook},
      {.name = "secret", .summary = "not listed", .run = RunLook, .is_hidden = true},
  };
  return verbs;
}

struct Outcome {
  int code;
  std::string out;
  std::string err;
};
Outcome Trawl(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {},
              const StopToken& stop = {}) {
  std::istringstream in;
  std::ostringstream out, err;
  const ManualClock clock;
  ProcessContext process{environment, in, out, err, stop, clock};
  const int code = RunCommand(TestVerbs(), arguments, process);
  return {code, out.str(), err.str()};
}

TEST(Driver, TheVerbGetsItsArgumentsAndOptions) {
  const struct {
    std::vector<std::string> arguments;
    const char* err;
  } cases[] = {{{"pick"}, "top 7\n"},  // from the settings
               {{"pick", "--top_n", "5"}, "top 5\n"},
               {{"pick", "a", "--pick.top_n=5", "b"}, "top 5 a b\n"},
               {{"pick", "--", "--top_n", "5"}, "top 7 --top_n 5\n"},
               {{"pick", "--quiet"}, ""}};
  for (const auto& c : cases) {
    const Outcome outcome = Trawl(c.arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, c.err);
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_EQ(Trawl({"pick"}, {"TRAWL_PICK_TOP_N=3"}).err, "top 3\n");
}

TEST(Driver, WithJsonTheResultIsOneObjectOnStandardOutput) {
  EXPECT_EQ(Trawl({"pick", "--json"}).out, "{\"top_n\":7}\n");
  EXPECT_EQ(Trawl({"pick", "--json"}).err, "");
  EXPECT_EQ(Trawl({"look", "stats", "--json"}).out, "{\"now\":1772366400000}\n");
  EXPECT_EQ(Trawl({"look", "stats"}).out, "at 2026-03-01T12:00:00Z\n");
  EXPECT_EQ(Trawl({"look", "stats", "--now", "2026-01-01T00:00:00Z", "--quiet"}).out, "at 2026-01-01T00:00:00Z\n");
}

constexpr char kHostile[] =
    "a\x1b[2J\x7f\xC2\x9B"
    "b\xE2\x80\xAE"
    "c\r\n";

TEST(Driver, ATerminalGetsNoControlCharactersAndAPipeGetsAll) {
  const auto run = [](VerbContext& context) -> Result<int> {
    for (const char* byte = kHostile; *byte != '\0'; ++byte) context.process.out << *byte;
    return kExitDone;
  };
  const std::vector<Verb> verbs = {{.name = "say", .summary = "say it", .run = run}};
  const auto said = [&verbs](bool is_terminal) {
    std::istringstream in;
    std::ostringstream out, err;
    const ManualClock clock;
    ProcessContext process{{}, in, out, err, StopToken(), clock};
    process.is_out_terminal = is_terminal;
    EXPECT_EQ(RunCommand(verbs, {"say"}, process), 0) << err.str();
    return out.str();
  };
  EXPECT_EQ(said(false), kHostile);
  EXPECT_EQ(said(true), "a [2J  bc\n");
}

TEST(Driver, CommandsInMessagesGetTheRootThatWasTyped) {
  const auto run = [](VerbContext& context) -> Result<int> {
    context.process.err << "try  traw"
                        << "l rounds\ntrawl jobs, " << std::flush << "trawl page 'x'";
    return Status::Invalid("run  trawl fetch --segment S");
  };
  const std::vector<Verb> verbs = {{.name = "say", .summary = "say it", .run = run}};
  const auto said = [&verbs](const std::vector<std::string>& words, const std::vector<std::string>& environment) {
    std::istringstream in;
    std::ostringstream out, err;
    const ManualClock clock;
    ProcessContext process{environment, in, out, err, StopToken(), clock};
    EXPECT_EQ(RunCommand(verbs, words, process), 3);
    return err.str();
  };
  EXPECT_EQ(said({"say", "--root", "r"}, {}),
            "try  trawl rounds --root r\ntrawl jobs --root r, trawl page --root r 'x'"
            "trawl: run  trawl fetch --root r --segment S\n");
  EXPECT_EQ(said({"say"}, {"TRAWL_ROOT=r"}),
            "try  trawl rounds\ntrawl jobs, trawl page 'x'trawl: run  trawl fetch --segment S\n")
      << "the same shell finds it";
}

TEST(Driver, OutcomesBecomeExitCodes) {
  const StopSource source = StopSource::Make().ValueOrDie();
  source.Stop();
  const struct {
    const char* fail;
    int code;
    const char* err;
  } cases[] = {{"damage", 3, "trawl: manifest is damaged\n"},
               {"usage", 2, "trawl: x\n"},
               {"conflict", 4, "trawl: x\n"},
               {"stop", 75, "trawl: stopped; run the same command again to go on\n"},
               {"idle", 99, ""},
               {"closed", 0, ""}};
  for (const auto& c : cases) {
    const Outcome outcome = Trawl({"pick", "--fail", c.fail}, {}, source.token());
    EXPECT_EQ(outcome.code, c.code) << c.fail;
    EXPECT_EQ(outcome.err, c.err) << c.fail;
  }
}

TEST(Driver, ArgumentsAreCounted) {
  EXPECT_EQ(Trawl({"pick", "a", "b", "c"}).err,
            "trawl: trawl pick: 'c' is one argument too many; write  trawl pick [NAME]…\n");
  EXPECT_EQ(Trawl({"look", "get"}).err, "trawl: trawl look get needs more arguments; write  trawl look get URL\n");
  EXPECT_EQ(Trawl({"look", "get"}).code, 2);
}

TEST(Driver, FamiliesHaveHelpAndTheirOwnNearestName) {
  EXPECT_EQ(Trawl({"look"}).code, 2);
  EXPECT_THAT(Trawl({"look"}).err, HasSubstr("Usage: trawl look VERB"));
  EXPECT_EQ(Trawl({"look", "--help"}).code, 0);
  EXPECT_THAT(Trawl({"look", "--help"}).out, HasSubstr("look stats   count"));
  EXPECT_EQ(Trawl({"look", "stat"}).err,
            "trawl: there is no verb 'look stat'; did you mean look stats? (trawl look --help lists them)\n");
  EXPECT_THAT(Trawl({"look", "--root", "x"}).err, HasSubstr("trawl look --help lists them"));
  EXPECT_EQ(Trawl({"look", "x"}).code, 2);
  EXPECT_THAT(Trawl({"help", "look", "get"}).out, HasSubstr("trawl look get: show one"));
  EXPECT_THAT(Trawl({"help", "look"}).out, HasSubstr("Usage: trawl look VERB"));
}

TEST(Driver, HelpHasWhatANewcomerNeeds) {
  const std::string help = Trawl({"pick", "--help", "all"}).out;
  EXPECT_THAT(help, HasSubstr("trawl pick: pick some\n\nUsage: trawl pick [OPTION]… [NAME]…\n\nPicks the best.\n\n"));
  EXPECT_THAT(help, HasSubstr("  # Only ten\n  trawl pick --top_n 10\n"));
  EXPECT_THAT(help, HasSubstr("Picking (pick.NAME in files, TRAWL_PICK_NAME in the environment):\n"));
  EXPECT_THAT(help, HasSubstr("  --top_n N                   how many to pick [100]\n"));
  EXPECT_THAT(help, HasSubstr("--memory SIZE"));
  EXPECT_THAT(help, HasSubstr("SIZE is like 64MiB"));
  EXPECT_THAT(help, HasSubstr("Exit codes: 0 done, now or before, 2 wrong command line, 3 failed"));
  constexpr char kNothing[] = "Exit codes: 0 done, now or before, 1 nothing was due or found, 2 wrong";
  EXPECT_THAT(FullVerbHelp({.name = "settle"}), Not(HasSubstr("1 nothing"))) << "what is settled already is done";
  EXPECT_THAT(FullVerbHelp({.name = "archive"}), HasSubstr(kNothing));
  EXPECT_THAT(FullVerbHelp({.name = "fetch", .groups = {&IdleOptionGroup()}}), HasSubstr(kNothing));
  const std::string general = Trawl({"--help"}).out;
  EXPECT_THAT(general, HasSubstr(kNothing));
  EXPECT_THAT(general, HasSubstr("  pick         pick some\n"));
  EXPECT_THAT(general, Not(HasSubstr("secret")));
}

TEST(Driver, ShortHelpHasTheMainOptionsAndSaysHowToSeeTheRest) {
  const std::string help = Trawl({"pick", "--help"}).out;
  EXPECT_THAT(help, HasSubstr("trawl pick: pick some\n\nUsage: trawl pick [OPTION]… [NAME]…\n\nPicks the best.\n\n"));
  EXPECT_THAT(help, HasSubstr("  # Only ten\n  trawl pick --top_n 10\n"));
  EXPECT_THAT(help, HasSubstr("Picking:\n  --top_n N                   how many to pick [100]\nEvery verb:\n"));
  EXPECT_THAT(help, HasSubstr("--root ROOT"));
  EXPECT_THAT(help, Not(HasSubstr("--fail")));
  EXPECT_THAT(help, Not(HasSubstr("--memory")));
  EXPECT_THAT(help, HasSubstr("\ntrawl pick --help all shows 11 more options, and the exit codes.\n"));
}

TEST(Driver, HelpOfAllOptionsCanBeWrittenInAllWays) {
  const std::string all = Trawl({"pick", "--help", "all"}).out;
  const std::string few = Trawl({"pick", "--help"}).out;
  for (const std::vector<std::string>& words : {std::vector<std::string>{"pick", "--help=all"},
                                                {"pick", "-h", "all"},
                                                {"help", "pick", "all"},
                                                {"pick", "--top_n", "x", "--help", "all", "--json"}}) {
    EXPECT_EQ(Trawl(words).out, all) << ::testing::PrintToString(words);
  }
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"pick", "-h"}, {"help", "pick"}, {"pick", "--help", "--top_n", "5"}}) {
    EXPECT_EQ(Trawl(words).out, few) << ::testing::PrintToString(words);
  }
  EXPECT_EQ(Trawl({"look", "--help", "all"}).out, Trawl({"look", "--help"}).out);
  EXPECT_EQ(Trawl({"--help", "all"}).out, Trawl({"--help"}).out);
}

TEST(Driver, UnknownWordsAfterHelpAreAnErrorThatSaysWhatToType) {
  const struct {
    std::vector<std::string> arguments;
    const char* word;
    const char* command;
  } cases[] = {{{"pick", "--help", "everything"}, "everything", "trawl pick"},
               {{"pick", "--help=everything"}, "everything", "trawl pick"},
               {{"pick", "--help="}, "", "trawl pick"},
               {{"pick", "--help", "all", "options"}, "options", "trawl pick"},
               {{"pick", "-h", "x"}, "x", "trawl pick"},
               {{"look", "get", "--help", "x"}, "x", "trawl look get"},
               {{"look", "--help", "x"}, "x", "trawl look VERB"},
               {{"--help", "pick"}, "pick", "trawl VERB"}};
  for (const auto& c : cases) {
    const Outcome outcome = Trawl(c.arguments);
    EXPECT_EQ(outcome.code, 2) << c.command;
    EXPECT_EQ(outcome.out, "") << c.command;
    EXPECT_EQ(outcome.err, std::string("trawl: '") + c.word + "' after --help is not known; write " + c.command +
                               " --help, or " + c.command + " --help all for every option\n");
  }
}

TEST(Driver, HelpNeedsNoSense) { EXPECT_EQ(Trawl({"pick", "--top_n", "x", "--help"}).code, 0); }

// The real table: what a verb or a group must keep to.
TEST(Verbs, NamesAndGroupsKeepTheRules) {
  std::set<std::string> verb_names, variables, prefixes;
  const auto is_word = [](const std::string& text) {
    return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
  };
  for (const Verb& verb : Verbs()) {
    EXPECT_TRUE(verb_names.insert(verb.name).second) << verb.name << " stands twice";
    EXPECT_NE(verb.run, nullptr) << verb.name;
    EXPECT_FALSE(verb.summary.empty()) << verb.name;
    EXPECT_TRUE(verb.is_hidden || verb.examples.size() >= 2) << verb.name << " wants two examples";
    EXPECT_LE(verb.least_arguments, verb.most_arguments) << verb.name;
  }
  for (const AnyOptionGroup* group : AllGroups(Verbs())) {
    EXPECT_FALSE(group->title().empty()) << group->prefix();
    EXPECT_TRUE(group->prefix().empty() || prefixes.insert(group->prefix()).second)
        << group->prefix() << " belongs to two groups";
    for (const OptionSpec& spec : group->options()) {
      EXPECT_TRUE(is_word(spec.noun)) << spec.name;
      EXPECT_FALSE(spec.help.empty()) << spec.name;
      EXPECT_TRUE(variables.insert(EnvironmentName(spec.name)).second) << spec.name << " shares its variable";
      EXPECT_TRUE(ParseOptionText(spec.type, spec.default_text).ok()) << spec.name << ": its own default is refused";
    }
  }
}

TEST(Verbs, AdviceKnowsAllThatTakeARoot) {
  for (const Verb& verb : Verbs()) {
    if (verb.is_hidden || verb.name == "gc") continue;
    if (verb.name == "check") continue;       // of its kinds only url looks into a crawl
    if (verb.name == "completion") continue;  // looks into none
    EXPECT_EQ(WithRoot("trawl " + verb.name + " X", "r"), "trawl " + verb.name + " --root r X");
  }
}

// A newcomer reads it on one screen.
TEST(Verbs, ShortHelpIsShortAndNamesOnlyOptionsThatTheVerbHas) {
  constexpr int kMostLines = 45, kMostOptions = 16;
  constexpr size_t kMostColumns = 80;
  for (const Verb& verb : Verbs()) {
    const std::string help = VerbHelp(verb);
    EXPECT_TRUE(verb.is_hidden || std::count(help.begin(), help.end(), '\n') <= kMostLines) << help;
    int shown = 0;
    for (const AnyOptionGroup* group : GroupsOf(verb)) {
      for (const OptionSpec& option : group->options()) shown += IsMainOption(verb, option);
    }
    EXPECT_LE(shown, kMostOptions) << verb.name;
    EXPECT_GE(shown, 2) << verb.name;
    for (const std::string& name : verb.other_main_options) {
      const OptionSpec* option = FindOption(GroupsOf(verb), name);
      ASSERT_NE(option, nullptr) << verb.name << " has no option " << name;
      const bool is_said_twice = option->is_main && FindOption(verb.groups, name) != nullptr;
      EXPECT_FALSE(is_said_twice) << verb.name << ": " << name << " is marked where it is declared";
    }
    for (const std::string& text : {help, FullVerbHelp(verb), GeneralHelp(Verbs())}) {
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) {
        const bool is_command =  // as it is typed
            line.starts_with("  trawl ") || line.starts_with("  echo ") || line.starts_with("  (");
        EXPECT_TRUE(is_command || CountColumns(line) <= kMostColumns) << line;
      }
    }
  }
}

TEST(Verbs, TheListNamesEveryVisibleVerbOnce) {
  const std::string list = GeneralHelp(Verbs());
  for (const Verb& verb : Verbs()) {
    const std::string line = "\n  " + verb.name + "   ";
    size_t found = 0;
    for (size_t at = list.find(line); at != std::string::npos; at = list.find(line, at + 1)) ++found;
    EXPECT_EQ(found, verb.is_hidden ? 0U : 1U) << verb.name;
  }
}

}  // namespace
}  // namespace trawl
