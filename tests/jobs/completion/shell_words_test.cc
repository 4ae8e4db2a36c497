// How a line that is being typed falls into words.
#include "jobs/completion/shell_words.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

using Words = std::vector<std::string>;

TEST(ShellWords, AreSplitAtBlanksAndTheLastOneIsNotComplete) {
  const struct {
    const char* line;
    Words words;
  } cases[] = {{"", {""}},
               {"trawl", {"trawl"}},
               {"trawl ", {"trawl", ""}},
               {"trawl  readdb\tst", {"trawl", "readdb", "st"}},
               {"trawl --root='my crawl' x", {"trawl", "--root=my crawl", "x"}},
               {"trawl --root 'my cr", {"trawl", "--root", "my cr"}},
               {"trawl --root \"a $b \\\" c\\d", {"trawl", "--root", "a $b \" c\\d"}},
               {"trawl my\\ cr", {"trawl", "my cr"}},
               {"trawl a\\", {"trawl", "a"}},
               {"trawl '' x", {"trawl", "", "x"}},
               {"trawl $'it\\'s", {"trawl", "it's"}},
               {"trawl 'it'\\''s'", {"trawl", "it's"}},
               // Nothing is expanded or run.
               {"trawl $(touch x) `y` $HOME *", {"trawl", "$(touch", "x)", "`y`", "$HOME", "*"}}};
  for (const auto& c : cases) EXPECT_EQ(SplitShellLine(c.line, ShellKind::kBash).words, c.words) << c.line;
}

TEST(ShellWords, FishReadsQuotesItsOwnWay) {
  EXPECT_EQ(SplitShellLine("trawl 'it\\'s'", ShellKind::kFish).words, (Words{"trawl", "it's"}));
  EXPECT_EQ(SplitShellLine("trawl $'a b'", ShellKind::kFish).words, (Words{"trawl", "$a b"}));
  EXPECT_EQ(WithoutQuotes("'a\\b", ShellKind::kBash), "a\\b");
  EXPECT_EQ(WithoutQuotes("'a\\\\b", ShellKind::kFish), "a\\b");
}

TEST(ShellWords, RedirectionsAreNoArguments) {
  const struct {
    const char* line;
    Words words;
    bool in_redirection;
  } cases[] = {{"trawl > out fe", {"trawl", "fe"}, false},       {"trawl 2>&1 fe", {"trawl", "fe"}, false},
               {"trawl x > ou", {"trawl", "x", "ou"}, true},     {"trawl x >ou", {"trawl", "x", "ou"}, true},
               {"trawl 2> e x < ", {"trawl", "x", ""}, true},    {"trawl a>b c", {"trawl", "a", "c"}, false},
               {"trawl 'a>b' \\>", {"trawl", "a>b", ">"}, false}};
  for (const auto& c : cases) {
    const ShellWords found = SplitShellLine(c.line, ShellKind::kBash);
    EXPECT_EQ(found.words, c.words) << c.line;
    EXPECT_EQ(found.in_redirection, c.in_redirection) << c.line;
  }
}

}  // namespace
}  // namespace trawl
