#include "formats/scan/scan.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "formats/charset/charset.h"
#include "formats/charset/decode.h"
#include "formats/html/html.h"
#include "formats/markup/entities.h"
#include "tests/support/html/cases.h"
#include "tests/support/html/difference.h"
#include "tests/support/html/page_grammar.h"

namespace trawl {
namespace {

HtmlOptions Tight() {
  HtmlOptions options;
  options.max_links = 1;
  options.max_resources = 1;
  options.max_text_bytes = 4;
  options.max_title_bytes = 2;
  options.max_link_text_bytes = 2;
  return options;
}

void ExpectEqualReaders(const std::vector<ScanTopic>& topics) {
  for (const ScanTopic& topic : topics) {
    size_t tame = 0;
    std::string wild_ones;
    for (const std::string_view page : topic.pages) {
      HtmlWild wild;
      EXPECT_EQ(DifferenceBetweenReaders(page, Tight(), &wild), "") << topic.name << ", within limits: " << page;
      EXPECT_EQ(DifferenceBetweenReaders(page, {}, &wild), "") << topic.name << ": " << page;
      tame += wild == HtmlWild::kNot;
      if (wild != HtmlWild::kNot) wild_ones += "\n  " + std::string(HtmlWildName(wild)) + ": " + std::string(page);
    }
    EXPECT_EQ(tame, topic.tame) << topic.name << " of " << topic.pages.size() << "; wild are" << wild_ones;
  }
}

TEST(Scan, ReadsBodiesAsTheTreeDoes) { ExpectEqualReaders(ScanTopicsOfBody()); }
TEST(Scan, ReadsTablesAndForeignContentAsTheTreeDoes) { ExpectEqualReaders(ScanTopicsOfTables()); }
TEST(Scan, ReadsTokensAsTheTreeDoes) { ExpectEqualReaders(ScanTopicsOfTokens()); }

// A page may end anywhere, whatever comes before its end.
TEST(Scan, ReadsEveryBeginningOfAPageAsTheTreeDoes) {
  size_t tame = 0;
  size_t pages = 0;
  for (const auto* topics : {&ScanTopicsOfBody(), &ScanTopicsOfTables(), &ScanTopicsOfTokens()}) {
    for (const ScanTopic& topic : *topics) {
      for (const std::string_view page : topic.pages) {
        for (size_t size = 0; size < page.size(); ++size) {
          if ((static_cast<uint8_t>(page[size]) & 0xC0) == 0x80) continue;
          HtmlWild wild;
          EXPECT_EQ(DifferenceBetweenReaders(page.substr(0, size), {}, &wild), "") << page.substr(0, size);
          tame += wild == HtmlWild::kNot;
          ++pages;
        }
      }
    }
  }
  EXPECT_GT(tame * 10, pages * 9);
}

// The references lang and rang once had the code points of HTML 4. The HTML Standard has changed them.
TEST(Scan, ReadsEveryReferenceThatItKnowsAsTheTreeDoes) {
  size_t tame = 0;
  const std::vector<std::string_view> names = KnownReferences();
  for (const std::string_view name : names) {
    for (const char* end : {";", "", "x", "=", " ", "1"}) {
      const std::string reference = "&" + std::string(name) + end;
      HtmlWild wild;
      EXPECT_EQ(DifferenceBetweenReaders("<p>" + reference + "<a href=\"/?x" + reference + "\">", {}, &wild), "")
          << reference;
      tame += wild == HtmlWild::kNot;
    }
  }
  EXPECT_GE(names.size(), 252u);
  EXPECT_GE(tame, names.size());
}

TEST(Scan, SaysWhyAPageIsWild) {
  const struct {
    std::string page;
    HtmlWild wild;
  } cases[] = {
      {"<table>a", HtmlWild::kFostered},
      {"<a href=/a><p>x</a>", HtmlWild::kMisnested},
      {"<frameset>", HtmlWild::kFrameset},
      {"<html><html lang=de>", HtmlWild::kHtmlAgain},
      {"<isindex>", HtmlWild::kIsindex},
      {"<plaintext>", HtmlWild::kPlaintext},
      {std::string("a\0b", 3), HtmlWild::kNul},
      {"&nosuch;", HtmlWild::kReference},
      {"<!doctype foo><p><table>", HtmlWild::kDoctype},
      {"</><svg>", HtmlWild::kForeign},
  };
  for (const auto& c : cases) {
    const HtmlPage page = HtmlParser().Parse(c.page);
    EXPECT_EQ(HtmlWildName(page.wild), HtmlWildName(c.wild)) << c.page;
    EXPECT_FALSE(page.read_by_scan);
  }
}

std::string Repeated(std::string_view piece, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i) text += piece;
  return text;
}

// A page that a guard refuses is wild. A page near a guard is equal or wild.
TEST(Scan, KeepsTheGuardsOfTheTree) {
  for (const std::string_view piece :
       {"<div>", "<b>", "<b><p>", "<font a=1 b=2>", "<svg><g>", "<table><tr><td>", "<a href=/a>", "<p><b>x", "</p>",
        "<br>", "<span a b c d e f g h i j k l m n o p q r s t u v w x y z>", "<x-y>", "<li>", "<i></b>", "<!-- x -->",
        "x&amp;"}) {
    for (const size_t times : {70u, 90u, 300u, 600u, 3000u, 40000u}) {
      HtmlWild wild;
      EXPECT_EQ(DifferenceBetweenReaders(Repeated(piece, times), {}, &wild), "") << times << " times " << piece;
    }
  }
  EXPECT_EQ(HtmlParser().Parse(Repeated("<div>", 3000)).wild, HtmlWild::kDepth);
  EXPECT_TRUE(HtmlParser().Parse(Repeated("<div>", 300)).read_by_scan);
  EXPECT_TRUE(HtmlParser().Parse(Repeated("<p>words</p>", 40000)).read_by_scan);
}

TEST(Scan, ReadsPagesOfAGrammarAsTheTreeDoes) {
  size_t tame = 0;
  constexpr uint32_t kPages = 20'000;
  for (uint32_t i = 0; i < kPages; ++i) {
    const std::string page = PageGrammar({reinterpret_cast<const char*>(&i), sizeof(i)}).Page();
    HtmlWild wild;
    const std::string difference = DifferenceBetweenReaders(page, i % 2 == 0 ? HtmlOptions() : Tight(), &wild);
    ASSERT_EQ(difference, "") << page;
    tame += wild == HtmlWild::kNot;
  }
  EXPECT_GT(tame, kPages / 2);
}

TEST(Scan, IsNotAskedWhereTheTreeIsWanted) {
  HtmlOptions options;
  options.reader = HtmlReading::kTree;
  const HtmlPage page = HtmlParser(options).Parse("<p>a");
  EXPECT_FALSE(page.read_by_scan);
  EXPECT_EQ(page.wild, HtmlWild::kNot);
}

// Reads real pages if they stand beside the checkout.
TEST(Scan, ReadsRealPagesAsTheTreeDoes) {
  const char* const data = std::getenv("TRAWL_TEST_DATA");
  const std::filesystem::path folder =
      std::filesystem::path(data == nullptr ? "tests/data" : data) / "../../../shared/pages";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no pages at " << folder;
  size_t pages = 0, tame = 0, bytes = 0, tame_bytes = 0;
  std::map<std::string, int> wild_ones;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".html") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string body((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::string storage;
    const std::string_view utf8 = DecodeToUtf8(body, SniffCharset(body, {}).encoding, &storage);
    HtmlWild wild;
    EXPECT_EQ(DifferenceBetweenReaders(utf8, {}, &wild), "") << entry.path();
    const bool is_tame = wild == HtmlWild::kNot;
    if (!is_tame) ++wild_ones[std::string(HtmlWildName(wild))];
    ++pages;
    bytes += utf8.size();
    tame += is_tame;
    tame_bytes += is_tame ? utf8.size() : 0;
  }
  std::printf("%zu of %zu pages are tame, %zu of %zu bytes\n", tame, pages, tame_bytes, bytes);
  for (const auto& [why, count] : wild_ones) std::printf("  wild, %s: %d\n", why.c_str(), count);
  EXPECT_GE(tame * 100, pages * 97);
  EXPECT_GE(tame_bytes * 100, bytes * 97);
}

}  // namespace
}  // namespace trawl
