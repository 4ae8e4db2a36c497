#include "formats/sitemap/sitemap.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace trawl {
namespace {

constexpr int64_t kNow = 1'790'000'000'000;

struct Sitemap {
  SitemapSummary summary;
  std::vector<SitemapEntry> entries;

  std::vector<std::string> Locs() const {
    std::vector<std::string> locs;
    for (const SitemapEntry& entry : entries) locs.push_back((entry.is_sitemap ? "sitemap " : "") + entry.loc);
    return locs;
  }
};

// Feeds the file in pieces of `piece_bytes`.
Sitemap Read(std::string_view file, size_t piece_bytes = 1 << 20, SitemapLimits limits = {}) {
  Sitemap sitemap;
  SitemapReader reader([&](SitemapEntry&& entry) { sitemap.entries.push_back(std::move(entry)); }, kNow, limits);
  for (size_t at = 0; at < file.size(); at += piece_bytes) reader.Feed(file.substr(at, piece_bytes));
  sitemap.summary = reader.Finish();
  return sitemap;
}

using Locs = std::vector<std::string>;

constexpr char kUrlset[] = R"(<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"
        xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url>
    <loc>
      http://www.example.com/a?x=1&amp;y=2
    </loc>
    <lastmod>2005-01-01</lastmod>
    <changefreq>Monthly</changefreq>
    <priority>0.8</priority>
    <image:image><image:loc>http://www.example.com/image.png</image:loc></image:image>
    <xhtml:link rel="alternate" hreflang="de" href="http://www.example.com/de"/>
    <xhtml:link rel="canonical" hreflang="fr" href="http://www.example.com/fr"/>
    <xhtml:link rel="alternate" media="print" href="http://www.example.com/m"></xhtml:link>
  </url>
  <url><loc><![CDATA[http://www.example.com/b?x&y]]></loc></url>
</urlset>
)";

TEST(Sitemap, UrlsetGivesEverythingAnEntryHas) {
  for (const size_t piece_bytes : {size_t{1}, size_t{7}, size_t{100000}}) {
    const Sitemap sitemap = Read(kUrlset, piece_bytes);
    EXPECT_EQ(sitemap.summary.type, SitemapType::kUrlset);
    EXPECT_EQ(sitemap.summary.problem, "");
    ASSERT_EQ(sitemap.Locs(), (Locs{"http://www.example.com/a?x=1&y=2", "http://www.example.com/b?x&y"}));
    const SitemapEntry& first = sitemap.entries[0];
    EXPECT_EQ(first.lastmod_ms, 1104537600000);
    EXPECT_EQ(first.frequency, ChangeFrequency::kMonthly);
    EXPECT_EQ(first.priority_millionths, 800000);
    ASSERT_EQ(first.alternates.size(), 2u);
    EXPECT_EQ(first.alternates[0].language, "de");
    EXPECT_EQ(first.alternates[0].loc, "http://www.example.com/de");
    EXPECT_EQ(first.alternates[1].language, "");
    EXPECT_EQ(sitemap.entries[1].lastmod_ms, std::nullopt);
    EXPECT_EQ(sitemap.entries[1].priority_millionths, std::nullopt);
  }
}

TEST(Sitemap, IndexGivesSitemaps) {
  const Sitemap sitemap = Read(
      "<sitemapindex><sitemap><loc>http://a/1.xml.gz</loc><lastmod>2004-10-01T18:23:17+00:00</lastmod></sitemap>"
      "<sitemap><loc>http://a/2.xml</loc></sitemap></sitemapindex>");
  EXPECT_EQ(sitemap.summary.type, SitemapType::kIndex);
  EXPECT_EQ(sitemap.Locs(), (Locs{"sitemap http://a/1.xml.gz", "sitemap http://a/2.xml"}));
  EXPECT_EQ(sitemap.entries[0].lastmod_ms, 1096654997000);
}

TEST(Sitemap, RssGivesTheLinksOfItems) {
  const Sitemap sitemap = Read(
      "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel><link>http://a/</link>"
      "<atom:link rel='self' href='http://a/feed'/>"
      "<item><title>x &nbsp; y</title><guid>http://a/g</guid><link>http://a/1</link>"
      "<atom:link href='http://a/no'/><pubDate>Sun, 06 Nov 1994 08:49:37 GMT</pubDate></item>"
      "<item><guid isPermaLink='true'>http://a/2</guid></item>"
      "<item><guid isPermaLink='false'>http://a/no</guid></item>"
      "<item><guid>4711</guid></item></channel></rss>");
  EXPECT_EQ(sitemap.summary.type, SitemapType::kRss);
  EXPECT_EQ(sitemap.summary.problem, "");
  EXPECT_EQ(sitemap.Locs(), (Locs{"http://a/1", "http://a/2"}));
  EXPECT_EQ(sitemap.entries[0].lastmod_ms, 784111777000);
  EXPECT_EQ(sitemap.summary.refused, 2u);
}

TEST(Sitemap, OldRssIsRdf) {
  const Sitemap sitemap = Read(
      "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>"
      "<channel><link>http://a/</link></channel>"
      "<item><link>http://a/1</link><dc:date>2005-01-01</dc:date></item></rdf:RDF>");
  EXPECT_EQ(sitemap.summary.type, SitemapType::kRss);
  EXPECT_EQ(sitemap.Locs(), (Locs{"http://a/1"}));
  EXPECT_EQ(sitemap.entries[0].lastmod_ms, 1104537600000);
}

TEST(Sitemap, AtomGivesTheAlternateLinksOfEntries) {
  const Sitemap sitemap = Read(
      "<feed xmlns='http://www.w3.org/2005/Atom'><link href='http://a/'/><link rel='self' href='http://a/feed'/>"
      "<entry><link rel='self' href='http://a/no'/><link href='http://a/1'/><link rel='alternate' href='http://a/no'/>"
      "<published>2001-01-01</published><updated>2005-01-01T00:00:00Z</updated>"
      "<source><link href='http://b/'/></source></entry>"
      "<entry><link rel='alternate' href='http://a/2'/><updated>2005-01-01T00:00:00Z</updated></entry></feed>");
  EXPECT_EQ(sitemap.summary.type, SitemapType::kAtom);
  EXPECT_EQ(sitemap.Locs(), (Locs{"http://a/1", "http://a/2"}));
  EXPECT_EQ(sitemap.entries[0].lastmod_ms, 1104537600000);
  EXPECT_EQ(sitemap.entries[1].lastmod_ms, 1104537600000);
}

// RFC 4287, 2: "Any element defined by this specification MAY have an xml:base attribute."
TEST(Sitemap, AtomsEntriesHaveTheBasesAroundThem) {
  const Sitemap sitemap = Read(
      "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='/blog/'>"
      "<entry><link href='1'/></entry>"
      "<entry xml:base='2005/'><link href='2'/></entry>"
      "<entry xml:base='2005/'><link xml:base='http://b/' href='3'/></entry>"
      "<entry xml:base=''><link href='4'/></entry></feed>");
  ASSERT_EQ(sitemap.Locs(), (Locs{"1", "2", "3", "4"}));
  EXPECT_EQ(sitemap.entries[0].bases, (Locs{"/blog/"}));
  EXPECT_EQ(sitemap.entries[1].bases, (Locs{"/blog/", "2005/"}));
  EXPECT_EQ(sitemap.entries[2].bases, (Locs{"/blog/", "2005/", "http://b/"}));
  EXPECT_EQ(sitemap.entries[3].bases, (Locs{"/blog/"}));
  const Sitemap rss = Read("<rss xml:base='/x/'><channel><item><link>1</link></item></channel></rss>");
  EXPECT_EQ(rss.entries[0].bases, Locs());
}

TEST(Sitemap, TextHasOneUrlALine) {
  for (const size_t piece_bytes : {size_t{1}, size_t{5}, size_t{1000}}) {
    const Sitemap sitemap =
        Read("\xEF\xBB\xBF\n http://a/1 \r\nHTTPS://a/2\r\rnot a URL\nftp://a/\nhttp://a/3", piece_bytes);
    EXPECT_EQ(sitemap.summary.type, SitemapType::kText);
    EXPECT_EQ(sitemap.Locs(), (Locs{"http://a/1", "HTTPS://a/2", "http://a/3"}));
    EXPECT_EQ(sitemap.summary.refused, 2u);
  }
}

TEST(Sitemap, WhatIsNoSitemapIsInvalid) {
  for (const char* file : {"", " \n", "<html><body><url><loc>http://a/</loc></url></body></html>", "words\nand words",
                           "<", "<?xml version='1.0'?>", "{\"loc\": \"http://a/\"}"}) {
    const Sitemap sitemap = Read(file);
    EXPECT_EQ(sitemap.summary.type, SitemapType::kInvalid) << file;
    EXPECT_EQ(sitemap.Locs(), Locs{}) << file;
  }
}

TEST(Sitemap, EmptyUrlsetIsASitemap) {
  EXPECT_EQ(Read("<urlset/>").summary.type, SitemapType::kUrlset);
  EXPECT_EQ(Read("<urlset/>").summary.problem, "");
}

TEST(Sitemap, BrokenFileGivesWhatCameBefore) {
  const struct {
    const char* file;
    Locs locs;
  } cases[] = {
      {"<urlset><url><loc>http://a/1</loc></url><url><loc>http://a/2</lo", {"http://a/1"}},
      {"<urlset><url><loc>http://a/1</loc></url><url><loc>http://a/2</loc><lastmod>20", {"http://a/1", "http://a/2"}},
      {"<urlset><url><loc>http://a/1</loc></url><url><loc>http://a/?x<y</loc></url></urlset>", {"http://a/1"}},
      {"<urlset><url><loc>http://a/1</loc></url></url><url><loc>http://a/2</loc></url></urlset>", {"http://a/1"}},
      {"<urlset><url><loc>http://a/1</loc></url></urlset>words", {"http://a/1"}},
      {"<urlset><url><loc>http://a/1</loc></url><url><loc>http://a/&#1;</loc></url></urlset>", {"http://a/1"}},
  };
  for (const auto& c : cases) {
    for (const size_t piece_bytes : {1, 1000}) {
      const Sitemap sitemap = Read(c.file, piece_bytes);
      EXPECT_EQ(sitemap.summary.type, SitemapType::kUrlset) << c.file;
      EXPECT_EQ(sitemap.Locs(), c.locs) << c.file;
      EXPECT_NE(sitemap.summary.problem, "") << c.file;
    }
  }
}

TEST(Sitemap, WhatStandsInFrontIsSkipped) {
  const std::string long_space(5000, '\n');
  for (const std::string& front :
       {std::string("\n \t"), std::string("\xEF\xBB\xBF"), std::string("\xEF\xBB\xBF \n\xEF\xBB\xBF"),
        std::string("Warning: something in line 5<br />\n"), std::string("<!-- made by x -->\n"), long_space}) {
    for (const size_t piece_bytes : {1, 100000}) {
      EXPECT_EQ(Read(front + kUrlset, piece_bytes).entries.size(), 2u) << front.substr(0, 20);
    }
  }
  EXPECT_EQ(Read("notice<urlset><url><loc>http://a/</loc></url></urlset>").Locs(), (Locs{"http://a/"}));
}

TEST(Sitemap, NamespacesMayBeSloppy) {
  const Locs one = {"http://a/1"};
  for (const char* file :
       {"<urlset xmlns='http://www.google.com/schemas/sitemap/0.84'><url><loc>http://a/1</loc></url></urlset>",
        "<sm:urlset xmlns:sm='x'><sm:url><sm:loc>http://a/1</sm:loc><loc>http://no/</loc></sm:url></sm:urlset>",
        "<un:urlset><un:url><un:loc>http://a/1</un:loc></un:url></un:urlset>",
        "<urlset><url><image:loc>http://no/</image:loc><loc>http://a/1</loc></url></urlset>",
        "<urlset><url><video><loc>http://no/</loc></video><loc>http://a/1</loc></url></urlset>",
        "<UrlSet><URL><Loc>http://a/1</Loc></URL></UrlSet>"}) {
    EXPECT_EQ(Read(file).Locs(), one) << file;
  }
}

TEST(Sitemap, BothKindsOfEntryCountInEitherRoot) {
  EXPECT_EQ(
      Read("<sitemapindex><url><loc>http://a/1</loc></url><sitemap><loc>http://a/2</loc></sitemap></sitemapindex>")
          .Locs(),
      (Locs{"http://a/1", "sitemap http://a/2"}));
}

TEST(Sitemap, EncodingIsTheDeclaredOneUnlessItCannotBe) {
  const auto file = [](const std::string& encoding, const std::string& text) {
    return "<?xml version='1.0' encoding='" + encoding + "'?><urlset><url><loc>http://a/" + text +
           "</loc></url></urlset>";
  };
  const struct {
    const char* encoding;
    const char* written;
    const char* read;
  } cases[] = {
      {"UTF-8", "\xC3\xA9", "\xC3\xA9"},         {"utf8", "\xC3\xA9", "\xC3\xA9"},
      {"ISO-8859-1", "\xE9", "\xC3\xA9"},        {"windows-1252", "\x80", "\xE2\x82\xAC"},
      {"us-ascii", "\xE9", "\xC3\xA9"},          {"windows-1251", "\xC6", "\xD0\x96"},
      {"iso-8859-2", "\xB1", "\xC4\x85"},        {"koi8-r", "\xC1", "\xD0\xB0"},
      {"Shift_JIS", "\x93\xFA", "\xE6\x97\xA5"}, {"euc-jp", "\xC6\xFC", "\xE6\x97\xA5"},
      {"gb2312", "\xC8\xD5", "\xE6\x97\xA5"},    {"big5", "\xA4\xE9", "\xE6\x97\xA5"},
      {"euc-kr", "\xB0\xA1", "\xEA\xB0\x80"},    {"euc-jp", "\x8F\xB0\xA1", "\xE4\xB8\x82"},
      {"utf-16", "\xC3\xA9", "\xC3\xA9"},        {"no-such", "\xC3\xA9", "\xC3\xA9"},
  };
  for (const auto& c : cases) {
    for (const size_t piece_bytes : {1, 1000}) {
      EXPECT_EQ(Read(file(c.encoding, c.written), piece_bytes).Locs(), (Locs{"http://a/" + std::string(c.read)}))
          << c.encoding;
    }
  }
  EXPECT_EQ(Read(file("iso-2022-jp", "x")).summary.type, SitemapType::kInvalid);
}

TEST(Sitemap, Utf16IsReadWhateverItDeclares) {
  const std::string text = "<?xml version='1.0' encoding='utf-8'?><urlset><url><loc>http://a/1</loc></url></urlset>";
  for (const bool big_endian : {false, true}) {
    for (const bool has_mark : {false, true}) {
      std::string file = !has_mark ? "" : big_endian ? "\xFE\xFF" : "\xFF\xFE";
      for (const char c : text) {
        if (big_endian) file.push_back('\0');
        file.push_back(c);
        if (!big_endian) file.push_back('\0');
      }
      EXPECT_EQ(Read(file).Locs(), (Locs{"http://a/1"})) << big_endian << has_mark;
      EXPECT_EQ(Read(file, 1).Locs(), (Locs{"http://a/1"})) << big_endian << has_mark;
    }
  }
}

TEST(Sitemap, EntitiesAreNeverExpanded) {
  std::string laughs = "<!DOCTYPE urlset [<!ENTITY l0 'lol'>";
  for (int i = 1; i < 10; ++i) {
    laughs += "<!ENTITY l" + std::to_string(i) + " '";
    for (int n = 0; n < 10; ++n) laughs += "&l" + std::to_string(i - 1) + ";";
    laughs += "'>";
  }
  const std::string body = "<urlset><url><loc>http://a/&l9;</loc></url></urlset>";
  for (const std::string& file :
       {laughs + "]>" + body, "<!DOCTYPE u [<!ENTITY l9 SYSTEM 'file:///etc/passwd'>]>" + body,
        "<!DOCTYPE u [<!ENTITY % p SYSTEM 'http://127.0.0.1/'> %p;]>" + body}) {
    const Sitemap sitemap = Read(file);
    EXPECT_EQ(sitemap.Locs(), Locs{});
    EXPECT_NE(sitemap.summary.problem, "");
  }
  // A document type is allowed, but never looked up.
  EXPECT_EQ(
      Read("<!DOCTYPE rss PUBLIC 'x' 'http://127.0.0.1/x.dtd'><rss><item><link>http://a/1</link></item></rss>").Locs(),
      (Locs{"http://a/1"}));
}

TEST(Sitemap, EntryWithAnUnknownEntityInItsUrlIsRefused) {
  const Sitemap sitemap =
      Read("<urlset><url><loc>http://a/&what;</loc></url><url><loc>http://a/1</loc></url></urlset>");
  EXPECT_EQ(sitemap.Locs(), (Locs{"http://a/1"}));
  EXPECT_EQ(sitemap.summary.refused, 1u);
  EXPECT_EQ(sitemap.summary.problem, "");
}

TEST(Sitemap, WhatIsPlainlyMeantIsMended) {
  const std::string file =
      "<urlset><url><loc>http://x/?a=1&b=2&amp;c&#38;d</loc></url><url><loc>http://x/?&lang=&;</loc></url>"
      "<url><loc><![CDATA[http://x/?a&b]]></loc></url><url><loc>\x01http://x/\xFC\xC3\xBC</loc></url>"
      "<url><loc>http://x/?&nowhere;</loc></url></urlset>";
  for (const size_t piece_bytes : {size_t{1}, size_t{3}, size_t{1000}}) {
    const Sitemap sitemap = Read(file, piece_bytes);
    EXPECT_EQ(sitemap.summary.problem, "");
    EXPECT_EQ(sitemap.summary.refused, 1u) << "the entity that nobody declared";
    EXPECT_EQ(sitemap.Locs(),
              (Locs{"http://x/?a=1&b=2&c&d", "http://x/?&lang=&;", "http://x/?a&b", "http://x/\uFFFD\u00FC"}));
  }
}

TEST(Sitemap, EntryThatIsNotClosedIsKept) {
  const Sitemap sitemap = Read("<urlset><url><loc>http://x/1</loc><url><loc>http://x/2</loc></url></urlset>");
  EXPECT_EQ(sitemap.Locs(), (Locs{"http://x/1", "http://x/2"}));
  EXPECT_NE(sitemap.summary.problem, "");
}

// The protocol asks for UTF-8; a byte order mark shows that a file is UTF-16.
TEST(Sitemap, TextInUtf16IsReadByItsMark) {
  const std::string_view ascii = "http://x/1\r\nhttp://x/2\n";
  for (const bool is_big_endian : {false, true}) {
    std::string file = is_big_endian ? "\xFE\xFF" : "\xFF\xFE";
    for (const char c : ascii) file += is_big_endian ? std::string{'\0', c} : std::string{c, '\0'};
    for (const size_t piece_bytes : {size_t{1}, size_t{7}, size_t{1000}}) {
      const Sitemap sitemap = Read(file, piece_bytes);
      EXPECT_EQ(sitemap.summary.type, SitemapType::kText);
      EXPECT_EQ(sitemap.Locs(), (Locs{"http://x/1", "http://x/2"}));
    }
  }
}

TEST(Sitemap, FieldsThatMakeNoSenseAreLeftOut) {
  const Sitemap sitemap = Read(
      "<urlset><url><loc>http://a/1</loc><lastmod>soon</lastmod><changefreq>often</changefreq><priority>1.5</"
      "priority></url>"
      "<url><loc> </loc></url><url/></urlset>");
  ASSERT_EQ(sitemap.Locs(), (Locs{"http://a/1"}));
  EXPECT_EQ(sitemap.entries[0].lastmod_ms, std::nullopt);
  EXPECT_EQ(sitemap.entries[0].frequency, ChangeFrequency::kUnknown);
  EXPECT_EQ(sitemap.entries[0].priority_millionths, std::nullopt);
  EXPECT_EQ(sitemap.summary.refused, 2u);
}

TEST(Sitemap, PriorityIsBetweenZeroAndOne) {
  const struct {
    const char* text;
    std::optional<int32_t> millionths;
  } cases[] = {{"0", 0},
               {"1", 1000000},
               {"1.0", 1000000},
               {"0.5", 500000},
               {".25", 250000},
               {"0.1234567", 123456},
               {"1.0000001", 1000000},
               {"1.1", {}},
               {"2", {}},
               {"-0.5", {}},
               {"", {}},
               {".", {}},
               {"0.5.5", {}},
               {"high", {}},
               {"99999999999999999999", {}}};
  for (const auto& c : cases) {
    const Sitemap sitemap =
        Read("<urlset><url><loc>http://a/</loc><priority>" + std::string(c.text) + "</priority></url></urlset>");
    ASSERT_EQ(sitemap.entries.size(), 1u);
    EXPECT_EQ(sitemap.entries[0].priority_millionths, c.millionths) << c.text;
  }
}

TEST(Sitemap, LimitsAreEnforcedAndTold) {
  const std::string two = "<urlset><url><loc>http://a/1</loc></url><url><loc>http://a/2</loc></url></urlset>";
  EXPECT_FALSE(Read(two, 1000, {.max_entries = 2}).summary.too_many_entries);
  const Sitemap by_entries = Read(two, 1000, {.max_entries = 1});
  EXPECT_EQ(by_entries.Locs(), (Locs{"http://a/1"}));
  EXPECT_TRUE(by_entries.summary.too_many_entries);
  const Sitemap text = Read("http://a/1\nhttp://a/2\nhttp://a/3", 1000, {.max_entries = 2});
  EXPECT_EQ(text.entries.size(), 2u);
  EXPECT_TRUE(text.summary.too_many_entries);
  for (const size_t piece_bytes : {3, 1000}) {
    const Sitemap by_bytes = Read(two, piece_bytes, {.max_bytes = 50});
    EXPECT_EQ(by_bytes.Locs(), (Locs{"http://a/1"}));
    EXPECT_TRUE(by_bytes.summary.too_many_bytes);
  }
  EXPECT_FALSE(Read(two, 7, {.max_bytes = two.size()}).summary.too_many_bytes);
}

TEST(Sitemap, NothingMakesItGrowOrCrawl) {
  const std::string big(5 << 20, 'x');
  const std::string end = "<url><loc>http://a/1</loc></url></urlset>";
  std::string names, deep;
  for (int i = 0; i < 300000; ++i) names += "<a" + std::to_string(i) + "/>";
  for (int i = 0; i < 300000; ++i) deep += "<a>";
  for (const std::string& inside : {"<url a='" + big + "'/>", "<!--" + big + "-->", names, deep, "<" + big}) {
    const Sitemap sitemap = Read("<urlset>" + inside + end, 64 << 10);
    EXPECT_EQ(sitemap.Locs(), Locs{});
    EXPECT_NE(sitemap.summary.problem, "");
  }
  for (const std::string& inside :
       {"<url><loc>" + big + "</loc></url>", "<x>" + big + "</x>", "<x><![CDATA[" + big + "]]></x>"}) {
    EXPECT_EQ(Read("<urlset>" + inside + end, 64 << 10).Locs(), (Locs{"http://a/1"}));
  }
  EXPECT_EQ(Read("http://a/" + big + "\nhttp://a/1").Locs(), (Locs{"http://a/1"}));
  std::string alternates = "<urlset><url><loc>http://a/1</loc>";
  for (int i = 0; i < 10000; ++i) alternates += "<xhtml:link rel='alternate' hreflang='de' href='http://a/2'/>";
  EXPECT_LE(Read(alternates + "</url></urlset>").entries.at(0).alternates.size(), 512u);
}

// -- extensions -------------------------------------------------------------------------------------------------------

TEST(Sitemap, ExtensionsAreKeptAsJson) {
  const std::string file = R"(<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>http://a/1</loc>
  <news:news><news:publication><news:name>The Paper</news:name><news:language>en</news:language></news:publication>
    <news:publication_date>2026-01-01</news:publication_date><news:title>A &amp; B</news:title></news:news>
  <image:image><image:loc>http://a/1.png</image:loc></image:image>
  <image:image><image:loc>http://a/2.png</image:loc><image:caption>two</image:caption></image:image>
  <video:video><video:title>V</video:title><video:tag>x</video:tag><video:tag>y</video:tag></video:video></url>
<url><loc>http://a/2</loc><image:image></image:image></url></urlset>)";
  for (const size_t piece_bytes : {size_t{1}, size_t{13}, size_t{100000}}) {
    const Sitemap sitemap = Read(file, piece_bytes);
    ASSERT_EQ(sitemap.Locs(), (Locs{"http://a/1", "http://a/2"}));
    EXPECT_EQ(sitemap.entries[0].details,
              R"({"news":{"name":"The Paper","language":"en","publication_date":"2026-01-01","title":"A & B"},)"
              R"("images":[{"loc":"http://a/1.png"},{"loc":"http://a/2.png","caption":"two"}],)"
              R"("videos":[{"title":"V","tag":"x"}]})");
    EXPECT_EQ(sitemap.entries[1].details, "");
  }
}

TEST(Sitemap, ExtensionsAreBounded) {
  std::string images;
  for (int i = 0; i < 10'000; ++i) images += "<image:image><image:loc>http://a/image.png</image:loc></image:image>";
  for (int i = 0; i < 10'000; ++i) images += "<image:image/>";
  const Sitemap sitemap = Read("<urlset><url><loc>http://a/1</loc>" + images + "</url></urlset>");
  ASSERT_EQ(sitemap.Locs(), (Locs{"http://a/1"}));
  EXPECT_GT(sitemap.entries[0].details.size(), 8u << 10);
  EXPECT_LT(sitemap.entries[0].details.size(), 32u << 10);
}

// -- JSON Feed --------------------------------------------------------------------------------------------------------

TEST(JsonFeed, ItemsAreEntries) {
  const std::string file =
      R"( {"version": "https://jsonfeed.org/version/1.1", "title": "T", "home_page_url": "http://a/",
    "authors": [{"name": "x", "url": "http://not/an/item"}],
    "items": [{"id": "http://a/1", "url": " http://a/one ", "date_published": "2026-01-01T00:00:00Z",
               "date_modified": "2026-01-03T00:00:00+01:00", "attachments": [{"url": "http://a/file", "id": "http://b/"}]},
              {"id": "http://a/2", "url": 7}, {"id": "3", "content_text": "no URL"}],
    "next_url": "http://a/more"})";
  for (const size_t piece_bytes : {size_t{1}, size_t{13}, size_t{100000}}) {
    const Sitemap feed = Read(file, piece_bytes);
    EXPECT_EQ(feed.summary.type, SitemapType::kJson);
    EXPECT_EQ(feed.summary.problem, "");
    ASSERT_EQ(feed.Locs(), (Locs{"http://a/one", "http://a/2"}));
    EXPECT_EQ(feed.entries[0].lastmod_ms, 1767394800000);
    EXPECT_EQ(feed.summary.refused, 1u);
  }
  EXPECT_EQ(Read(R"({"version": "https://jsonfeed.org/version/1"})").summary.type, SitemapType::kJson);
}

TEST(JsonFeed, WhatIsNoFeedIsInvalidAndWhatIsBrokenIsReadUpToTheBreak) {
  EXPECT_EQ(Read(R"({"routes": {"items": [{"url": "http://a/"}]}})").summary.type, SitemapType::kInvalid);
  EXPECT_EQ(Read("{}").summary.problem, "JSON without \"items\" is no feed");
  const Sitemap broken = Read(R"({"items": [{"url": "http://a/1"}, {"url": "http://a/2)");
  EXPECT_EQ(broken.Locs(), (Locs{"http://a/1"}));
  EXPECT_NE(broken.summary.problem, "");
}

TEST(JsonFeed, HostileTextsEndInGoodTime) {
  const Sitemap deep = Read("{\"items\": " + std::string(1'000'000, '['));
  EXPECT_EQ(deep.entries.size(), 0u);
  std::string many = "{\"items\": [";
  for (int i = 0; i < 1000; ++i) many += "{\"url\": \"http://a/" + std::to_string(i) + "\"},";
  const Sitemap cut = Read(many + "{}]}", 1 << 20, {.max_entries = 10});
  EXPECT_EQ(cut.entries.size(), 10u);
  EXPECT_TRUE(cut.summary.too_many_entries);
  EXPECT_EQ(Read("{\"a\": \"" + std::string(17 << 20, 'x') + "\"}").summary.problem,
            "a feed of JSON over 16 MiB is not read");
}

}  // namespace
}  // namespace trawl
