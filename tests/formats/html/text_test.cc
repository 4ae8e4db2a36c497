// Compares the readable text of the pages in tests/data/html with the text that a person took from each.
#include "formats/html/text.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "formats/charset/charset.h"
#include "formats/charset/decode.h"
#include "formats/html/html.h"
#include "tests/support/values/test_data.h"

namespace trawl {
namespace {

TEST(HtmlText, ThirtyPagesInEightLanguages) {
  std::set<std::string> languages;
  size_t pages = 0;
  HtmlParser parser;
  for (const auto& entry : std::filesystem::directory_iterator(TestDataPath("html"))) {
    if (entry.path().extension() != ".html") continue;
    const std::string name = entry.path().stem().string();
    const std::string body = ReadTestData("html/" + name + ".html");
    std::string storage;
    const HtmlPage page = parser.Parse(DecodeToUtf8(body, SniffCharset(body, {}).encoding, &storage));
    EXPECT_EQ(page.text + "\n", ReadTestData("html/" + name + ".txt")) << name;
    languages.insert(name.substr(0, 2));
    ++pages;
  }
  EXPECT_EQ(pages, 30u);
  EXPECT_EQ(languages.size(), 8u);
}

TEST(HtmlText, GapsAreOneSpaceOrOneLine) {
  CollapsedText text(100);
  text.Append(" a\t\n b");
  text.Space();
  text.Append("c \xC2\xA0");
  text.Break();
  text.Append(" ");
  text.Break();
  text.Append("d\ne", true);
  text.Append("\xC3\xA9\xC2");  // the last byte is a sequence cut off, not a no-break space
  EXPECT_EQ(text.Take(), "a b c\nd\ne\xC3\xA9\xC2");
  text.Append("fresh");
  EXPECT_EQ(text.Take(), "fresh");
}

TEST(HtmlText, NothingJoinsWhatWasCut) {
  CollapsedText text(6);
  text.Append("abc");
  text.Append("defg");
  text.Append("h");
  EXPECT_EQ(text.Take(), "abcde");
  EXPECT_EQ(text.cut_bytes(), 3u);
}

}  // namespace
}  // namespace trawl
