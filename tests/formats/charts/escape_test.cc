// Crawled text as text of a page.
#include "formats/charts/escape.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

TEST(Escape, MarkupBecomesText) {
  EXPECT_EQ(EscapeHtml("<script>alert(1)</script>"), "&lt;script&gt;alert(1)&lt;/script&gt;");
  EXPECT_EQ(EscapeHtml("\" onload='x' & y"), "&quot; onload=&#39;x&#39; &amp; y");
  EXPECT_EQ(EscapeHtml("Grüße, 世界, 🕸"), "Grüße, 世界, 🕸");
}

TEST(Escape, WhatIsNoTextBecomesAReplacementCharacter) {
  EXPECT_EQ(EscapeHtml(std::string_view("a\0b\x1b[31m", 8)), "a�b�[31m");
  EXPECT_EQ(EscapeHtml("a\tb\nc\rd\x7f"), "a\tb\nc�d�");
  EXPECT_EQ(EscapeHtml("\xc2\x85 \xef\xbf\xbe \xef\xb7\x90 \xf0\x9f\xbf\xbf"), "� � � �") << "C1 and noncharacters";
  EXPECT_EQ(EscapeHtml("\xff<\xe2\x82"), "�&lt;�") << "bytes that are not UTF-8";
}

TEST(Escape, TextCannotTurnItsNeighboursAround) {
  EXPECT_EQ(EscapeHtml("\u202e"
                       "gpj.exe\u202c"),
            "�gpj.exe�");
  EXPECT_EQ(EscapeHtml("\u2066"
                       "a\u2069"),
            "�a�");
  EXPECT_EQ(EscapeHtml("\u200f"
                       "שלום"),
            "\u200f"
            "שלום")
      << "a mark that says where a text begins stays";
}

TEST(Escape, ShortTextIsCutAtACharacter) {
  EXPECT_EQ(ShortText("abc", 3), "abc");
  EXPECT_EQ(ShortText("abcd", 3), "ab…");
  EXPECT_EQ(ShortText("äöüß", 3), "äö…");
  EXPECT_EQ(ShortText("", 3), "");
}

TEST(Escape, OnlyHttpAndHttpsBecomeLinks) {
  EXPECT_EQ(UrlHtml("https://a.example/?a=1&b=\"<"),
            "<a href=\"https://a.example/?a=1&amp;b=&quot;&lt;\" rel=\"noreferrer noopener nofollow\">"
            "https://a.example/?a=1&amp;b=&quot;&lt;</a>");
  EXPECT_EQ(UrlHtml("javascript:alert(1)"), "javascript:alert(1)");
  EXPECT_EQ(UrlHtml("data:text/html,<b>"), "data:text/html,&lt;b&gt;");
  EXPECT_EQ(UrlHtml("HTTP://a.example/", 6),
            "<a href=\"HTTP://a.example/\" rel=\"noreferrer noopener nofollow\">HTTP:…</a>");
  EXPECT_EQ(UrlHtml("http"), "http");
}

}  // namespace
}  // namespace trawl
