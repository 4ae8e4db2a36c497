#include "runtime/options/resolve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/options/command_line.h"
#include "runtime/options/file.h"
#include "runtime/options/global.h"
#include "runtime/process/status_detail.h"

namespace trawl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct PickOptions {
  int32_t top_n = 100;
  int64_t memory_bytes = 1 << 20;
  bool dry_run = false;
  bool follow = true;
  std::vector<std::string> only;
};
const OptionGroup<PickOptions>& PickGroup() {
  using P = PickOptions;
  static const auto group = OptionGroup<P>("pick", "Picking")
                                .Int("top_n", &P::top_n, "how many", Between(1, 1000))
                                .Size("memory", &P::memory_bytes, "memory")
                                .Bool("dry_run", &P::dry_run, "only say what would be done")
                                .Bool("follow", &P::follow, "follow links")
                                .List("only", &P::only, "only these");
  return group;
}

struct PackOptions {
  bool dry_run = false;
  std::string label;
};
const OptionGroup<PackOptions>& PackGroup() {
  static const auto group = OptionGroup<PackOptions>("pack", "Packing")
                                .Bool("dry_run", &PackOptions::dry_run, "only say what would be done")
                                .String("label", &PackOptions::label, "a label");
  return group;
}

struct ElsewhereOptions {
  int32_t lanes = 1;
};
const OptionGroup<ElsewhereOptions>& ElsewhereGroup() {
  static const auto group =
      OptionGroup<ElsewhereOptions>("elsewhere").Int("lanes", &ElsewhereOptions::lanes, "lanes", Between(1, 8));
  return group;
}

const OptionGroups& VerbGroups() {
  static const OptionGroups groups = {&GlobalOptionGroup(), &PickGroup(), &PackGroup()};
  return groups;
}
const OptionGroups& KnownGroups() {
  static const OptionGroups groups = {&GlobalOptionGroup(), &PickGroup(), &PackGroup(), &ElsewhereGroup()};
  return groups;
}

arrow::Result<CommandLine> Parse(const std::vector<std::string>& arguments) {
  return ParseCommandLine("trawl pick", VerbGroups(), arguments);
}

TEST(CommandLine, EveryFormOfAnOptionIsUnderstood) {
  const struct {
    std::vector<std::string> arguments;
    std::vector<std::string> names_and_texts;
    std::vector<std::string> positional;
  } cases[] = {
      {{}, {}, {}},
      {{"--top_n", "5"}, {"pick.top_n", "5"}, {}},
      {{"--top_n=5"}, {"pick.top_n", "5"}, {}},
      {{"--pick.top_n", "5"}, {"pick.top_n", "5"}, {}},
      {{"--top_n", "-5"}, {"pick.top_n", "-5"}, {}},
      {{"--memory", "1GiB"}, {"memory", "1GiB"}, {}},
      {{"--pick.memory=1GiB"}, {"pick.memory", "1GiB"}, {}},
      {{"--json"}, {"json", "true"}, {}},
      {{"--json", "yes"}, {"json", "true"}, {"yes"}},
      {{"--json=false"}, {"json", "false"}, {}},
      {{"--no_json"}, {"json", "false"}, {}},
      {{"--no_follow"}, {"pick.follow", "false"}, {}},
      {{"--pick.no_follow"}, {"pick.follow", "false"}, {}},
      {{"--pack.dry_run"}, {"pack.dry_run", "true"}, {}},
      {{"a", "--top_n", "5", "b", "--json", "c"}, {"pick.top_n", "5", "json", "true"}, {"a", "b", "c"}},
      {{"--json", "--", "--top_n", "-x", "--"}, {"json", "true"}, {"--top_n", "-x", "--"}},
      {{"-", "-x"}, {}, {"-", "-x"}},
      {{"--label="}, {"pack.label", ""}, {}},
      {{"--label=", "next"}, {"pack.label", ""}, {"next"}},
      {{"--label", ""}, {"pack.label", ""}, {}},
      {{"--label=a=b="}, {"pack.label", "a=b="}, {}},
      {{"--label=--json"}, {"pack.label", "--json"}, {}},
      {{"--only", "a", "--only=b"}, {"pick.only", "a", "pick.only", "b"}, {}},
      {{"--top_n", "5", "--top_n", "6"}, {"pick.top_n", "5", "pick.top_n", "6"}, {}},
  };
  for (const auto& c : cases) {
    const auto line = Parse(c.arguments);
    ASSERT_TRUE(line.ok()) << ::testing::PrintToString(c.arguments) << line.status().ToString();
    std::vector<std::string> found;
    for (const OptionAssignment& assignment : line->assignments) {
      found.push_back(assignment.name);
      found.push_back(assignment.text);
    }
    EXPECT_EQ(found, c.names_and_texts) << ::testing::PrintToString(c.arguments);
    EXPECT_EQ(line->positional, c.positional) << ::testing::PrintToString(c.arguments);
  }
}

TEST(CommandLine, RefusalsSayWhatToType) {
  const struct {
    std::vector<std::string> arguments;
    const char* message;
  } cases[] = {
      {{"--topn", "5"},
       "--topn is not an option of trawl pick; did you mean --top_n? (trawl pick --help all lists all options)"},
      {{"--pick.topn=5"}, "did you mean --pick.top_n?"},
      {{"--zzzzz"}, "--zzzzz is not an option of trawl pick; trawl pick --help all lists all options"},
      {{"--elsewhere.lanes", "1"}, "--elsewhere.lanes is not an option"},
      {{"--top"}, "--top is not an option"},
      {{"--no_top_n"}, "--no_top_n is not an option"},
      {{"--dry_run"}, "--dry_run is short for several options; write --pick.dry_run or --pack.dry_run"},
      {{"--no_json=1"}, "--no_json takes no value; write it alone"},
      {{"--no_json="}, "--no_json takes no value; write it alone"},
      {{"--top_n"}, "--top_n: the value is missing; write a whole number from 1 to 1000"},
      {{"--top_n", "--json"}, "--top_n: the value is missing; write a whole number from 1 to 1000"},
      {{"--=x"}, "is not an option"},
  };
  for (const auto& c : cases) {
    const auto status = Parse(c.arguments).status();
    EXPECT_EQ(KindOf(status), StatusKind::kUsage) << ::testing::PrintToString(c.arguments);
    EXPECT_THAT(status.message(), HasSubstr(c.message));
  }
}

TEST(CommandLine, ShortestSpellingIsTheNounWhereItIsFree) {
  EXPECT_EQ(ShortestSpelling(VerbGroups(), *FindOption(VerbGroups(), "pick.top_n")), "top_n");
  EXPECT_EQ(ShortestSpelling(VerbGroups(), *FindOption(VerbGroups(), "pick.memory")), "pick.memory");
  EXPECT_EQ(ShortestSpelling(VerbGroups(), *FindOption(VerbGroups(), "pick.dry_run")), "pick.dry_run");
  EXPECT_EQ(ShortestSpelling(VerbGroups(), *FindOption(VerbGroups(), "root")), "root");
}

TEST(OptionFile, GroupsValuesCommentsAndListsAreRead) {
  const auto read = ParseOptionFile(
      "\xEF\xBB\xBF# a comment\r\n"
      "threads = 4\r\n"
      "\n"
      "; another\n"
      "[pick]\n"
      "  top_n=7   # seven\n"
      "only = a, b#c\n"
      "only = d\n"
      "[ pack ]\n"
      "label = x = y ; z\n"
      "[elsewhere]\n"
      "lanes = 2",
      "t.ini", KnownGroups());
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  std::vector<std::string> lines;
  for (const OptionAssignment& a : *read) lines.push_back(a.name + "|" + a.text + "|" + a.where);
  EXPECT_THAT(lines,
              ElementsAre("threads|4|t.ini:2: threads", "pick.top_n|7|t.ini:6: pick.top_n",
                          "pick.only|a, b#c|t.ini:7: pick.only", "pick.only|d|t.ini:8: pick.only",
                          "pack.label|x = y ; z|t.ini:10: pack.label", "elsewhere.lanes|2|t.ini:12: elsewhere.lanes"));
}

TEST(OptionFile, RefusalsNameFileAndLine) {
  const struct {
    const char* text;
    const char* message;
  } cases[] = {
      {"\n[pick]\ntopn = 5\n", "t.ini:3: pick.topn is not an option; did you mean pick.top_n?"},
      {"[nowhere]\nx = 1\n", "t.ini:2: nowhere.x is not an option"},
      {"[pick]\ntop_n\n", "t.ini:2: 'top_n' is neither [group] nor name = value"},
      {"[pick\n", "t.ini:1: the line must end with ], such as [fetch]"},
      {"threads=1\nthreads=2\n", "t.ini:2: threads is already in line 1; remove one of them"},
      {"root = \"/data\"\n", "t.ini:1: root: write the value without quotes"},
      {"= 5\n", "t.ini:1:  is not an option"},
  };
  for (const auto& c : cases) {
    const auto status = ParseOptionFile(c.text, "t.ini", KnownGroups()).status();
    EXPECT_EQ(KindOf(status), StatusKind::kUsage) << c.text;
    EXPECT_THAT(status.message(), HasSubstr(c.message));
  }
}

TEST(OptionFile, AFileThatIsNotThereOrAFolderIsRefused) {
  for (const char* path : {"/nonexistent/trawl.ini", "/"}) {
    const auto status = LoadOptionFile(path, KnownGroups()).status();
    EXPECT_EQ(KindOf(status), StatusKind::kUsage) << path;
    EXPECT_THAT(status.message(), HasSubstr(path));
  }
}

TEST(Environment, VariablesAreNamedAfterOptions) {
  EXPECT_EQ(EnvironmentName("fetch.delay_ms"), "TRAWL_FETCH_DELAY_MS");
  const auto read = ReadEnvironment(
      KnownGroups(), {"PATH=/bin", "TRAWL_PICK_TOP_N=7", "TRAWL_CACHE=/c", "TRAWL_TEST_HDFS=x", "TRAWL_ROOT="});
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ((*read)[0].name, "pick.top_n");
  EXPECT_EQ((*read)[0].text, "7");
  EXPECT_EQ((*read)[0].where, "TRAWL_PICK_TOP_N");
  EXPECT_EQ((*read)[1].text, "");
}

TEST(Environment, AVariableThatMustBeMeantAsAnOptionIsRefused) {
  const struct {
    const char* line;
    const char* message;
  } cases[] = {{"TRAWL_PICK_TOPN=7", "TRAWL_PICK_TOPN names no option; did you mean TRAWL_PICK_TOP_N?"},
               {"TRAWL_TREADS=7", "TRAWL_TREADS names no option; did you mean TRAWL_THREADS?"},
               {"TRAWL_PICK_SOMETHING_ELSE=7", "TRAWL_PICK_SOMETHING_ELSE is not one of the pick options; unset it"},
               {"TRAWL_PICK=7", "TRAWL_PICK is not one of the pick options"}};
  for (const auto& c : cases) {
    const auto status = ReadEnvironment(KnownGroups(), {c.line}).status();
    EXPECT_EQ(KindOf(status), StatusKind::kUsage) << c.line;
    EXPECT_THAT(status.message(), HasSubstr(c.message));
  }
}

TEST(Environment, AVariableOfSomebodyElseIsPassedOver) {
  for (const char* line : {"TRAWL_BIN=/x", "TRAWL_HOME=/x", "TRAWL_CACHE=/c", "TRAWL_TEST_DATA=x", "TRAWL_PICKET_X=1",
                           "TRAWL_=x", "TRAWL=x", "TRAWLER_ROOT=x"}) {
    const auto read = ReadEnvironment(KnownGroups(), {line});
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_TRUE(read->empty()) << line;
  }
}

EffectiveOptions Defaults() { return EffectiveOptions(VerbGroups(), KnownGroups()); }

TEST(Precedence, AHigherSourceWinsInWhateverOrderTheyCome) {
  const OptionSource all[] = {OptionSource::kSettings, OptionSource::kConfigFile, OptionSource::kEnvironment,
                              OptionSource::kCommandLine};
  for (const OptionSource first : all) {
    for (const OptionSource second : all) {
      EffectiveOptions options = Defaults();
      ASSERT_TRUE(options.Apply(first, {{"pick.top_n", "1", "x"}}).ok());
      ASSERT_TRUE(options.Apply(second, {{"pick.top_n", "2", "x"}}).ok());
      EXPECT_EQ(options.texts().at("pick.top_n"), second >= first ? "2" : "1");
      EXPECT_EQ(options.SourceOf("pick.top_n"), std::max(first, second));
      EXPECT_EQ(options.SourceOf("pick.only"), OptionSource::kDefault);
    }
  }
}

TEST(Precedence, ListsJoinWithinASourceAndReplaceAcrossSources) {
  EffectiveOptions options = Defaults();
  ASSERT_TRUE(options.Apply(OptionSource::kConfigFile, {{"pick.only", "x", "f"}}).ok());
  ASSERT_TRUE(options.Apply(OptionSource::kCommandLine, {{"pick.only", "a,b", "c"}, {"pick.only", "c", "c"}}).ok());
  EXPECT_EQ(options.texts().at("pick.only"), "a,b,c");
  EXPECT_THAT(options.Read(PickGroup())->only, ElementsAre("a", "b", "c"));
}

TEST(Precedence, TextsBecomeCanonical) {
  EffectiveOptions options = Defaults();
  ASSERT_TRUE(options.Apply(OptionSource::kCommandLine, {{"memory", "1024MiB", "c"}, {"json", "yes", "c"}}).ok());
  EXPECT_EQ(options.texts().at("memory"), "1GiB");
  EXPECT_EQ(options.texts().at("json"), "true");
}

TEST(Precedence, OptionsOfOtherVerbsAreCheckedAndLeftOut) {
  EffectiveOptions options = Defaults();
  EXPECT_TRUE(options.Apply(OptionSource::kConfigFile, {{"elsewhere.lanes", "2", "f:1"}}).ok());
  EXPECT_EQ(options.texts().count("elsewhere.lanes"), 0u);
  const auto status = options.Apply(OptionSource::kConfigFile, {{"elsewhere.lanes", "9", "f:1"}});
  EXPECT_EQ(KindOf(status), StatusKind::kUsage);
  EXPECT_EQ(status.message(), "f:1: '9' is not allowed; write a whole number from 1 to 8");
}

TEST(Precedence, SettingsComeLastAndAreOfJobsAlone) {
  EffectiveOptions options = Defaults();
  ASSERT_TRUE(options.Apply(OptionSource::kEnvironment, {{"pick.top_n", "2", "x"}}).ok());
  ASSERT_TRUE(options.ApplySettings({{"pick.top_n", "3"}, {"pick.follow", "false"}}, "settings of snapshot 4").ok());
  EXPECT_EQ(options.texts().at("pick.top_n"), "2");
  EXPECT_EQ(options.texts().at("pick.follow"), "false");
  EXPECT_EQ(options.SourceOf("pick.follow"), OptionSource::kSettings);
  EXPECT_THAT(
      options.ApplySettings({{"root", "x"}}, "settings of snapshot 4").message(),
      HasSubstr(
          "settings of snapshot 4: root: this option cannot be a setting of a crawl; give it on the command line"));
  const auto newer = options.ApplySettings({{"pick.gone", "x"}}, "settings of snapshot 4");
  EXPECT_FALSE(KindOf(newer).has_value()) << "nobody typed it";
  EXPECT_THAT(newer.message(),
              HasSubstr("settings of snapshot 4: this trawl does not know pick.gone; use a newer trawl"));
}

TEST(Precedence, ASettingIsStoredInCanonicalForm) {
  const auto canonical = [](const char* name, const char* text) {
    return CanonicalSetting(KnownGroups(), {name, text, std::string("config set ") + name});
  };
  EXPECT_EQ(canonical("pick.memory", "1024KiB").ValueOrDie(), "1MiB");
  EXPECT_EQ(canonical("elsewhere.lanes", "2").ValueOrDie(), "2");
  EXPECT_EQ(canonical("pick.topn", "2").status().message(),
            "config set pick.topn: pick.topn is not an option; did you mean pick.top_n?");
  EXPECT_EQ(canonical("pick.top_n", "0").status().message(),
            "config set pick.top_n: '0' is not allowed; write a whole number from 1 to 1000");
  EXPECT_THAT(canonical("root", "x").status().message(), HasSubstr("cannot be a setting"));
}

TEST(Resolve, AllSourcesComeTogether) {
  const auto resolved = ResolveOptions("trawl pick", VerbGroups(), KnownGroups(),
                                       {{"seed", "--top_n", "5"}, {"TRAWL_PICK_TOP_N=6", "TRAWL_THREADS=2"}});
  ASSERT_TRUE(resolved.ok()) << resolved.status().ToString();
  EXPECT_THAT(resolved->positional, ElementsAre("seed"));
  EXPECT_EQ(resolved->options.Read(PickGroup())->top_n, 5);
  EXPECT_EQ(resolved->options.Read(GlobalOptionGroup())->threads, 2);
  EXPECT_EQ(resolved->options.SourceOf("threads"), OptionSource::kEnvironment);
  // A task reads its structs from the plan's texts and nothing else.
  EXPECT_EQ(PickGroup().Read(resolved->options.texts())->top_n, 5);
}

TEST(Resolve, ARefusalNamesTheOptionAsItWasTyped) {
  for (const std::string typed : {"--top_n", "--pick.top_n"}) {
    const auto status = ResolveOptions("trawl pick", VerbGroups(), KnownGroups(), {{typed, "0"}, {}}).status();
    EXPECT_EQ(status.message(), typed + ": '0' is not allowed; write a whole number from 1 to 1000");
  }
}

TEST(Resolve, AnOutvotedValueIsCheckedToo) {
  const auto status =
      ResolveOptions("trawl pick", VerbGroups(), KnownGroups(), {{"--top_n", "5"}, {"TRAWL_PICK_TOP_N=x"}}).status();
  EXPECT_EQ(KindOf(status), StatusKind::kUsage);
  EXPECT_EQ(status.message(), "TRAWL_PICK_TOP_N: 'x' is not allowed; write a whole number from 1 to 1000");
}

TEST(GlobalOptions, WhatOnlyTheMachineKnowsIsFilledIn) {
  class FixedClock : public Clock {
   public:
    TimeMs NowMs() const override { return 42; }
    int64_t MonotonicMs() const override { return 0; }
  } clock;
  const GlobalOptions filled = Completed(GlobalOptions(), {"TMPDIRX=/y", "TMPDIR=/x"}, clock);
  EXPECT_GE(filled.threads, 1);
  EXPECT_EQ(filled.temp_dir, "/x");
  EXPECT_EQ(filled.now_ms, 42);
  EXPECT_EQ(Completed(GlobalOptions(), {}, clock).temp_dir, "/tmp");
  GlobalOptions given;
  given.threads = 3;
  given.temp_dir = "/z";
  given.now_ms = 0;
  const GlobalOptions kept = Completed(given, {"TMPDIR=/x"}, clock);
  EXPECT_EQ(kept.threads, 3);
  EXPECT_EQ(kept.temp_dir, "/z");
  EXPECT_EQ(kept.now_ms, 0);
}

}  // namespace
}  // namespace trawl
