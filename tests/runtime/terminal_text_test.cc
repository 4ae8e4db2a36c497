#include "runtime/terminal_text.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

TEST(TerminalText, CutsAtColumnsAndNotInsideOfCharacters) {
  const struct {
    const char* text;
    size_t columns;
    const char* cut;
  } cases[] = {{"abc", 3, "abc"}, {"abcd", 3, "ab…"},    {"äöü", 3, "äöü"}, {"äöüß", 3, "äö…"},    {"abc", 1, "…"},
               {"abc", 0, ""},    {"a\tb\n", 9, "a b "}, {"", 3, ""},       {"\x1b[2J", 9, " [2J"}};
  for (const auto& c : cases) EXPECT_EQ(CutToColumns(c.text, c.columns), c.cut) << c.text;
}

TEST(TerminalText, WordsFillLines) {
  EXPECT_EQ(WrapText("one two three four", 9, 2), "one two\n  three\n  four");
  EXPECT_EQ(WrapText("a  b ", 9, 0), "a b");
  EXPECT_EQ(WrapText("unbreakable x", 4, 0), "unbreakable\nx");
  EXPECT_EQ(WrapText("", 4, 0), "");
  EXPECT_EQ(WrapText("äöü äöü", 7, 0), "äöü äöü");
}

}  // namespace
}  // namespace trawl
