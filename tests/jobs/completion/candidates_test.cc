// What can stand at the end of a command line, over the real verbs and options.
#include "jobs/completion/candidates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "jobs/completion/arguments.h"

namespace trawl {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;
using Words = std::vector<std::string>;

struct Answer {
  Words words;
  Candidates all;
  // As the ids were asked for.
  std::string root = "none";
  std::string config = "none";
};

Answer After(const Words& words, const Words& later = {}) {
  Answer answer;
  const FindIds find_ids = [&answer](ValueKind kind, const TypedCrawl& crawl) {
    answer.root = crawl.root.value_or("not typed");
    answer.config = crawl.config.value_or("not typed");
    if (kind == ValueKind::kSegment) return Words{"segment-2", "segment-1"};
    return kind == ValueKind::kJob ? Words{"job-1"} : Words{"12", "3"};
  };
  answer.all = FindCandidates(Verbs(), {.words = words, .later = later}, find_ids);
  for (const OfferedWord& candidate : answer.all.words) answer.words.push_back(candidate.word);
  return answer;
}

TEST(Completion, TheFirstWordIsAVerbOrAFamily) {
  EXPECT_THAT(After({""}).words, IsSupersetOf({"crawl", "readdb", "segments", "jobs", "completion", "help"}));
  EXPECT_THAT(After({""}).words, Not(Contains("readdb stats")));
  EXPECT_THAT(After({"rea"}).words, ElementsAre("readdb", "readseg"));
  EXPECT_THAT(After({"-"}).words, ElementsAre("--help", "--version"));
  EXPECT_THAT(After({"--version", ""}).words, ElementsAre("--json"));
  EXPECT_THAT(After({"nosuch", ""}).words, IsEmpty());
  std::set<std::string> first;
  for (const Verb& verb : Verbs()) {
    if (!verb.is_hidden) first.insert(verb.name.substr(0, verb.name.find(' ')));
  }
  EXPECT_EQ(After({""}).words.size(), first.size() + 1) << "each once, and help";
}

TEST(Completion, TheSecondWordOfAFamily) {
  EXPECT_THAT(After({"readdb", ""}).words, UnorderedElementsAre("stats", "get", "dump", "hosts"));
  EXPECT_THAT(After({"segments", "ab"}).words, ElementsAre("abandon"));
  EXPECT_THAT(After({"readdb", "-"}).words, ElementsAre("--help"));
  // `jobs` is a verb, too, and `config` stands for one.
  EXPECT_THAT(After({"jobs", ""}).words, ElementsAre("status", "kill"));
  EXPECT_THAT(After({"jobs", "--lim"}).words, ElementsAre("--limit"));
  EXPECT_THAT(After({"config", ""}).words, ElementsAre("get", "set"));
  EXPECT_THAT(After({"config", "--for"}).words, ElementsAre("--format"));
  EXPECT_THAT(After({"jobs", "--json", ""}).words, IsEmpty());
}

TEST(Completion, HelpTakesVerbs) {
  EXPECT_THAT(After({"help", "rea"}).words, ElementsAre("readdb", "readseg"));
  EXPECT_THAT(After({"help", "readdb", "s"}).words, ElementsAre("stats"));
  EXPECT_THAT(After({"help", "readdb", "stats", ""}).words, ElementsAre("all"));
  EXPECT_THAT(After({"help", "fetch", ""}).words, ElementsAre("all"));
  EXPECT_THAT(After({"fetch", "--help", ""}).words, ElementsAre("all"));
}

TEST(Completion, ShortNamesOfOptionsComeFirst) {
  EXPECT_THAT(After({"generate", "--to"}).words, ElementsAre("--top_n"));
  EXPECT_THAT(After({"generate", "--"}).words, IsSupersetOf({"--top_n", "--root", "--help", "--no_probe_errors"}));
  EXPECT_THAT(After({"generate", "--"}).words, Not(Contains("--generate.top_n")));
  EXPECT_THAT(After({"generate", "--generate.to"}).words, ElementsAre("--generate.top_n"));
  EXPECT_THAT(After({"generate", "--generate"}).words, Contains("--generate.top_n"));
  EXPECT_THAT(After({"generate", "--gener"}).words, Contains("--generate.top_n"));
  // Where a short name begins like the group, both are there.
  EXPECT_THAT(After({"generate", "--fetch"}).words, IsSupersetOf({"--fetchers"}));
  for (const OfferedWord& candidate : After({"crawl", "--top_n"}).all.words)
    EXPECT_EQ(candidate.text.find('\n'), std::string::npos);
}

TEST(Completion, FlagsHaveNegations) {
  EXPECT_THAT(After({"fetch", "--http"}).words, ElementsAre("--http2"));
  EXPECT_THAT(After({"fetch", "--no_h"}).words, ElementsAre("--no_http2"));
  EXPECT_THAT(After({"fetch", "--fetch.no_h"}).words, ElementsAre("--fetch.no_http2"));
  // One that is off anyway is offered only to whom asks for it.
  EXPECT_THAT(After({"fetch", "--"}).words, Not(Contains("--no_json")));
  EXPECT_THAT(After({"fetch", "--no_j"}).words, ElementsAre("--no_json"));
  // A flag takes no word.
  EXPECT_THAT(After({"readseg", "dump", "--json", "se"}).words, ElementsAre("segment-2", "segment-1"));
  EXPECT_THAT(After({"fetch", "--http2="}).words, ElementsAre("--http2=true", "--http2=false"));
  EXPECT_THAT(After({"fetch", "--no_http2="}).words, IsEmpty());
}

TEST(Completion, ValuesOfOptions) {
  EXPECT_THAT(After({"fetch", "--runner", ""}).words, ElementsAre("local", "streaming", "auto"));
  EXPECT_THAT(After({"fetch", "--job.runner", "s"}).words, ElementsAre("streaming"));
  EXPECT_THAT(After({"fetch", "--runner=l"}).words, ElementsAre("--runner=local"));
  EXPECT_THAT(After({"export", "--format="}).words, ElementsAre("--format=orc", "--format=parquet", "--format=text"));
  EXPECT_THAT(After({"readdb", "dump", "--state", "fe"}).words, ElementsAre("fetched"));
  EXPECT_THAT(After({"readdb", "dump", "--outcome=dns"}).words, ElementsAre("--outcome=dns_failed"));
  // A list goes on after a comma, without what it has.
  EXPECT_THAT(After({"readdb", "dump", "--state", "fetched,gone,"}).words, Contains("fetched,gone,denied"));
  EXPECT_THAT(After({"readdb", "dump", "--state", "fetched,gone,"}).words, Not(Contains("fetched,gone,gone")));
  // A number has no candidates, and files are none for it.
  const Answer number = After({"generate", "--top_n", ""});
  EXPECT_THAT(number.words, IsEmpty());
  EXPECT_EQ(number.all.paths, PathsWanted::kNone);
  // An option in the place of a value is one: the command line is read so, too.
  EXPECT_THAT(After({"fetch", "--runner", "--jso"}).words, ElementsAre("--json"));
}

TEST(Completion, FilesAndFolders) {
  const struct {
    Words words;
    PathsWanted paths;
    const char* before;
    const char* path;
  } cases[] = {{{"crawl", "see"}, PathsWanted::kFiles, "", "see"},
               {{"crawl", "--config", "a b"}, PathsWanted::kFiles, "", "a b"},
               {{"crawl", "--config=tr"}, PathsWanted::kFiles, "--config=", "tr"},
               {{"crawl", "--root="}, PathsWanted::kFolders, "--root=", ""},
               {{"crawl", "--temp_dir", "/"}, PathsWanted::kFolders, "", "/"},
               {{"crawl", "--allow_hosts", "a,b"}, PathsWanted::kFiles, "a,", "b"},
               {{"page", "-o", "x"}, PathsWanted::kFiles, "", "x"},
               {{"export", "ou"}, PathsWanted::kFolders, "", "ou"},
               {{"export", "pages", "ou"}, PathsWanted::kFolders, "", "ou"},
               {{"export", "pages", "out", "x"}, PathsWanted::kNone, "", ""},
               {{"inject", "--", "--see"}, PathsWanted::kFiles, "", "--see"},
               {{"inject", "https://a.example/"}, PathsWanted::kNone, "", ""},
               {{"crawl", "--root", "hdfs://a/"}, PathsWanted::kNone, "", ""}};
  for (const auto& c : cases) {
    const Candidates found = After(c.words).all;
    EXPECT_EQ(found.paths, c.paths) << c.words.back();
    EXPECT_EQ(found.before, c.before) << c.words.back();
    EXPECT_EQ(found.path, c.path) << c.words.back();
  }
  EXPECT_THAT(After({"export", ""}).words, ElementsAre("urls", "hosts", "robots", "pages", "links", "graph"));
  EXPECT_THAT(After({"check", "ur"}).words, ElementsAre("url", "urlfilter"));
}

TEST(Completion, IdsOfTheCrawlThatIsMeant) {
  EXPECT_THAT(After({"segments", "abandon", ""}).words, ElementsAre("segment-2", "segment-1"));
  EXPECT_EQ(After({"segments", "abandon", ""}).root, "not typed");
  EXPECT_EQ(After({"segments", "abandon", "--root", "my crawl", ""}).root, "my crawl");
  EXPECT_EQ(After({"segments", "abandon", "--root=a", "--root=b=c", ""}).root, "b=c");
  EXPECT_EQ(After({"segments", "abandon", "--config", "t.ini", ""}).config, "t.ini");
  EXPECT_EQ(After({"segments", "abandon", "--", "--root=x", ""}).root, "none") << "one argument is enough";
  EXPECT_THAT(After({"readseg", "dump", ""}).words, ElementsAre("segment-2", "segment-1", "newest"));
  EXPECT_THAT(After({"readseg", "get", "--segment=seg"}).words,
              ElementsAre("--segment=segment-2", "--segment=segment-1"));
  EXPECT_THAT(After({"archive", "--segments", "segment-1,"}).words, ElementsAre("segment-1,segment-2"));
  EXPECT_THAT(After({"report", "--segment", ""}).words, SizeIs(2));
  EXPECT_THAT(After({"jobs", "status", ""}).words, ElementsAre("job-1"));
  EXPECT_THAT(After({"jobs", "kill", "--json", "j"}).words, ElementsAre("job-1"));
  EXPECT_THAT(After({"snapshot", "show", ""}).words, ElementsAre("12", "3"));
  EXPECT_THAT(After({"readdb", "stats", "--snapshot", "1"}).words, ElementsAre("12"));
  // Also after the cursor, unless all is an argument there.
  EXPECT_EQ(After({"segments", "abandon", ""}, {"--root", "later"}).root, "later");
  EXPECT_EQ(After({"segments", "abandon", "--root=a", ""}, {"--json", "--root=later", "--config=c"}).root, "later");
  EXPECT_EQ(After({"segments", "abandon", "--root=a", ""}, {"--", "--root=later"}).root, "a");
  // Between --root and its value no id is asked for.
  EXPECT_EQ(After({"segments", "abandon", "--root", ""}).root, "none");
}

TEST(Completion, SettingsAndTheirValues) {
  const Answer names = After({"config", "set", "generate.to"});
  EXPECT_THAT(names.words, ElementsAre("generate.top_n="));
  EXPECT_TRUE(names.all.is_open);
  EXPECT_THAT(After({"config", "set", "job.runner="}).words,
              ElementsAre("job.runner=local", "job.runner=streaming", "job.runner=auto"));
  EXPECT_FALSE(After({"config", "set", "job.runner="}).all.is_open);
  EXPECT_EQ(After({"config", "set", "urls.scope_rules=ru"}).all.before, "urls.scope_rules=");
  EXPECT_THAT(After({"config", "get", "generate.to"}).words, ElementsAre("generate.top_n"));
  // What every verb has is no setting.
  EXPECT_THAT(After({"config", "set", ""}).words, Each(Not(StartsWith("root"))));
}

TEST(Completion, AfterTwoDashesEverythingIsAnArgument) {
  EXPECT_THAT(After({"fetch", "--", "--"}).words, IsEmpty());
  EXPECT_THAT(After({"readseg", "dump", "--", "new"}).words, ElementsAre("newest"));
  EXPECT_THAT(After({"host", "-"}).words, Contains("-"));
}

// Whoever adds an option or a verb says what its values are.
TEST(Completion, TheTableHasEveryPlaceholder) {
  for (const Verb& verb : Verbs()) {
    for (size_t before = 0; before < 4; ++before) {
      for (const std::string& name : ArgumentsAt(verb.arguments, before)) {
        const bool is_word = std::none_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
        EXPECT_TRUE(is_word || IsKnownPlaceholder(name)) << verb.name << ": " << name;
      }
    }
  }
  for (const AnyOptionGroup* group : AllGroups(Verbs())) {
    for (const OptionSpec& option : group->options()) {
      const bool has_values = !KnownValues(option.type).empty();
      EXPECT_TRUE(has_values || IsKnownPlaceholder(option.type.placeholder))
          << option.name << ": " << option.type.placeholder;
    }
  }
}

// Every verb, with nothing and with any option begun: no candidate that a shell could take for something else.
TEST(Completion, EveryCandidateOfEveryVerbIsOneHarmlessWord) {
  size_t seen = 0;
  for (const Verb& verb : Verbs()) {
    Words words;
    for (size_t at = 0; at <= verb.name.size();) {
      const size_t end = std::min(verb.name.find(' ', at), verb.name.size());
      words.push_back(verb.name.substr(at, end - at));
      at = end + 1;
    }
    for (const char* last : {"", "-", "--", "--no", "--a"}) {
      Words line = words;
      line.emplace_back(last);
      for (const OfferedWord& candidate : After(line).all.words) {
        ++seen;
        EXPECT_THAT(candidate.word, StartsWith(last));
        const size_t foreign =
            candidate.word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.=,:/");
        EXPECT_EQ(foreign, std::string::npos) << candidate.word;
        EXPECT_EQ(candidate.text.find_first_of("\n\t"), std::string::npos) << candidate.text;
      }
    }
  }
  EXPECT_GT(seen, 3'000U);
}

}  // namespace
}  // namespace trawl
