#include "runtime/terminal/text.h"

#include <gtest/gtest.h>

#include <sstream>

#include "runtime/terminal/printable_stream.h"

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

TEST(TerminalText, AStreamMakesTheSameOfPiecesOfAnySize) {
  const std::string text = "a\x1b[2J\r\nb\rc \xE2\x82\xAC\xF0\x9F\x99\x82\xE2\x80\xAE \xFF\xC3( \xC2\x9B \r\n\xE2\x82";
  const std::string wanted =
      "a [2J\nb c \xE2\x82\xAC\xF0\x9F\x99\x82 \xEF\xBF\xBD\xEF\xBF\xBD(   \n\xEF\xBF\xBD\xEF\xBF\xBD";
  for (size_t piece = 1; piece <= text.size(); ++piece) {
    std::ostringstream out;
    {
      PrintableStream printable(out);
      for (size_t at = 0; at < text.size(); at += piece) printable << text.substr(at, piece);
    }
    EXPECT_EQ(out.str(), wanted) << piece;
  }
  std::ostringstream closed;
  PrintableStream printable(closed);
  closed.setstate(std::ios::badbit);
  printable << "x" << std::flush;
  EXPECT_FALSE(printable.good()) << "it tells that nobody reads";
}

TEST(TerminalText, WhatOthersWroteIsUtf8WithoutControls) {
  const struct {
    std::string text;
    const char* printable;
  } cases[] = {{"a\tb\nc", "a\tb\nc"},
               {"\x1b[31mred\r\x7f", " [31mred  "},
               {std::string("a\0b", 3), "a b"},
               {"\xC2\x9B"
                "31m",
                " 31m"},
               {"\xC2\xA0", "\xC2\xA0"},
               {"gr\xC3\xB6\xC3\x9F"
                "e \xE2\x82\xAC \xF0\x9F\x99\x82",
                "gr\xC3\xB6\xC3\x9F"
                "e \xE2\x82\xAC \xF0\x9F\x99\x82"},
               {"\xFF\xFE.", "\xEF\xBF\xBD\xEF\xBF\xBD."},
               {"\xE2\x82", "\xEF\xBF\xBD\xEF\xBF\xBD"},
               {"\xC3(", "\xEF\xBF\xBD("},
               {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
               {"a\u202Egnp.exe\u2028b\u2066", "agnp.exe b"},
               {"", ""}};
  for (const auto& c : cases) EXPECT_EQ(Printable(c.text), c.printable) << c.printable;
}

TEST(TerminalText, WhatComesNextStandsInItsColumn) {
  EXPECT_EQ(PadRight("abc", 5), "abc  ");
  EXPECT_EQ(PadRight("äöü", 5), "äöü  ");
  EXPECT_EQ(PadRight("abcde", 5), "abcde ");
  EXPECT_EQ(PadRight("", 2), "  ");
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
