#include "formats/charset/labels.h"

#include <gtest/gtest.h>

#include <string>

namespace trawl {
namespace {

TEST(EncodingLabels, NameIsSpelledAsTheStandardDoes) {
  const struct {
    std::string_view label;
    std::string_view name;
  } cases[] = {
      {"utf8", "UTF-8"},
      {"latin1", "windows-1252"},
      {"us-ascii", "windows-1252"},
      {"iso-8859-9", "windows-1254"},
      {"gb2312", "GBK"},
      {"gb18030", "gb18030"},
      {"sjis", "Shift_JIS"},
      {"utf-16", "UTF-16LE"},
      {"unicodefffe", "UTF-16BE"},
      {"big5-hkscs", "Big5"},
      {"hz-gb-2312", "replacement"},
      {"tis-620", "windows-874"},
      {"logical", "ISO-8859-8-I"},
      {"mac", "macintosh"},
      {"866", "IBM866"},
      {"x-sjis", "Shift_JIS"},
      {"cseucpkdfmtjapanese", "EUC-JP"},
      {"iso_8859-1:1987", "windows-1252"},
  };
  for (const auto& c : cases) EXPECT_EQ(EncodingForLabel(c.label), c.name) << c.label;
}

// Encoding Standard 4.2: "Remove any leading and trailing ASCII whitespace from label. If label is an ASCII
// case-insensitive match for any of the labels listed …"
TEST(EncodingLabels, WhitespaceAroundAndCaseDoNotMatter) {
  EXPECT_EQ(EncodingForLabel("\t\n\f\r UTF-8 "), "UTF-8");
  EXPECT_EQ(EncodingForLabel("Windows-31J"), "Shift_JIS");
  EXPECT_EQ(EncodingForLabel("\vutf-8"), "");
  EXPECT_EQ(EncodingForLabel("utf\xE2\x84\xAA-8"), "");
}

TEST(EncodingLabels, AnythingElseIsUnknown) {
  for (const std::string& label : {std::string(), std::string("  "), std::string("utf-7"), std::string("utf 8"),
                                   std::string("utf-8\0", 6), std::string(100000, 'a'), std::string("latin1 l1")}) {
    EXPECT_EQ(EncodingForLabel(label), "") << label.size();
  }
}

}  // namespace
}  // namespace trawl
