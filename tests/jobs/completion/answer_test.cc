// What a script asks and what it gets, letter by letter; and that the scripts are those of the three shells.
#include "jobs/completion/answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jobs/completion/scripts.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Words = std::vector<std::string>;

std::string Answer(Words words) {
  words.insert(words.begin(), {"completion", "words"});
  EXPECT_TRUE(IsCompletionRequest(words));
  return AnswerCompletion(Verbs(), words, {});
}

TEST(CompletionAnswer, ZshAndFishGetTexts) {
  EXPECT_THAT(Answer({"zsh", "2", "readdb", "st", "--json"}),
              "words\n\n\n\nstats\tcount the known URLs and hosts, by state\n");
  EXPECT_THAT(Answer({"fish", "trawl readdb st", ""}),
              "words\n\n\n\nstats\tcount the known URLs and hosts, by state\n");
  EXPECT_THAT(Answer({"fish", "./build/trawl jobs --root 'a b' k", ""}), HasSubstr("\n\n\n\n"));
  EXPECT_THAT(Answer({"zsh", "2", "fetch", "--run'n"}), StartsWith("words\n\n\n\n--runner\t"));
}

TEST(CompletionAnswer, BashGetsWhatItReplaces) {
  EXPECT_EQ(Answer({"bash", "trawl readdb st", "", "st"}), "words\n\n\n\nstats\n");
  // = and : part words for bash, unless COMP_WORDBREAKS says otherwise.
  EXPECT_EQ(Answer({"bash", "trawl fetch --runner=", "", "="}), "words\n\n\n--runner=\nlocal\nstreaming\nauto\n");
  EXPECT_EQ(Answer({"bash", "trawl fetch --runner=lo", "", "lo"}), "words\n\n\n--runner=\nlocal\n");
  EXPECT_EQ(Answer({"bash", "trawl fetch --runner=lo", "", "--runner=lo"}), "words\n\n\n\n--runner=local\n");
  EXPECT_EQ(Answer({"bash", "trawl fetch --runner \"lo", "", "\"lo"}), "words\n\n\n\nlocal\n");
  EXPECT_EQ(Answer({"bash", "trawl crawl --config=\"my cr", "", "\"my cr"}), "files\n--config=\nmy cr\n--config=\n");
  EXPECT_EQ(Answer({"bash", "trawl crawl a:b", "", "b"}), "files\n\na:b\na:\n");
  EXPECT_EQ(Answer({"bash", "trawl config set job.runn", "", "job.runn"}), "words open\n\n\n\njob.runner=\n");
  EXPECT_EQ(Answer({"bash", "trawl readdb stats > ou", "", "ou"}), "files\n\nou\n\n");
}

TEST(CompletionAnswer, WhatIsNoRequestGetsNothing) {
  for (const Words& words :
       {Words{}, Words{"bash"}, Words{"bash", "trawl fetch ", ""}, Words{"bash", "", "", ""},
        Words{"bash", "tra", "", "tra"}, Words{"fish"}, Words{"fish", ""}, Words{"fish", "trawl", ""},
        Words{"fish", "", ""}, Words{"fish", "a", "b", "c"}, Words{"zsh"}, Words{"tcsh", "2", "fetch", ""},
        Words{"zsh", "2"}, Words{"zsh", "2", "fetch", "a\nb"}, Words{"zsh", "2", "fetch", "\x1b[2J"}})
    EXPECT_EQ(Answer(words), "") << (words.empty() ? "" : words.front());
  EXPECT_FALSE(IsCompletionRequest({"completion"}));
  EXPECT_FALSE(IsCompletionRequest({"completion", "bash"}));
}

TEST(CompletionScripts, ThereIsOneForEachShell) {
  EXPECT_EQ(CompletionShells(), (Words{"bash", "zsh", "fish"}));
  for (const std::string& shell : CompletionShells()) {
    EXPECT_THAT(std::string(CompletionScript(shell)), HasSubstr("completion words " + shell)) << shell;
  }
  EXPECT_EQ(CompletionScript("tcsh"), "");
  EXPECT_THAT(std::string(CompletionScript("zsh")), StartsWith("#compdef trawl\n"));
}

}  // namespace
}  // namespace trawl
