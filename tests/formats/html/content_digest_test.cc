#include "formats/html/content_digest.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/digests/digest.h"
#include "formats/url/url.h"

namespace trawl {
namespace {

struct Pair {
  const char* one;
  const char* other;
};

std::string DigestAt(const std::string& url, const std::string& html) {
  return ToHex(Bytes(ContentDigest(HtmlParser().Parse(html), url)));
}
std::string DigestOf(const std::string& html) { return DigestAt("http://example.com/dir/page?q", html); }

// Pairs of pages with the same words. Only comments, scripts, styles, nonces, CSRF fields, the order of attributes or
// white space differ.
constexpr Pair kEqual[] = {
    // Comments.
    {"<p>a</p>", "<p>a<!-- 12:00:01 --></p>"},
    {"<!-- built 1 --><p>a b</p>", "<!-- built 2 --><p>a b</p>"},
    {"<p>one two</p>", "<p>one<!----> two</p>"},
    {"<ul><li>a<li>b</ul>", "<ul><!--[if IE]>x<![endif]--><li>a<li>b</ul>"},
    {"<title>t</title>", "<!--x--><title>t</title><!--y-->"},
    {"<p>a</p>", "<p>a</p><!-- unclosed"},
    {"<table><tr><td>1</table>", "<table><!-- a --><tr><!-- b --><td>1<!-- c --></table>"},
    // Scripts.
    {"<p>a</p><script>var t=1</script>", "<p>a</p><script>var t=2</script>"},
    {"<p>a</p>", "<script src=/x.js?v=9></script><p>a</p>"},
    {"<p onclick=a()>a</p>", "<p onclick=b()>a</p>"},
    {"<head><script type=application/ld+json>{\"v\":1}</script></head><p>a", "<head></head><p>a"},
    {"<p>a<script>document.write('<a href=x>y</a>')</script></p>", "<p>a</p>"},
    {"<p>a<noscript>1</noscript>", "<p>a<noscript>2</noscript>"},
    {"<template><p>1</p></template>a", "<template><p>2</p></template>a"},
    // Styles.
    {"<style>p{color:red}</style><p>a", "<style>p{color:blue}</style><p>a"},
    {"<p style=color:red>a</p>", "<p style=color:blue>a</p>"},
    {"<p class=a>a</p>", "<p class='b c'>a</p>"},
    {"<link rel=stylesheet href=1.css><p>a", "<link rel=stylesheet href=2.css><p>a"},
    {"<p id=x1>a</p>", "<p id=x2>a</p>"},
    {"<font color=red>a</font>", "<font color=blue>a</font>"},
    // Nonces.
    {"<script nonce=abc>1</script><p>a", "<script nonce=def>1</script><p>a"},
    {"<style nonce=abc></style><p>a", "<style nonce=def></style><p>a"},
    {"<meta name=csp-nonce content=abc><p>a", "<meta name=csp-nonce content=def><p>a"},
    {"<link rel=preload href=x nonce=1><p>a", "<link rel=preload href=x nonce=2><p>a"},
    {"<body data-request-id=1><p>a", "<body data-request-id=2><p>a"},
    // CSRF fields.
    {"<form><input type=hidden name=csrf value=1>Name</form>",
     "<form><input type=hidden name=csrf value=2>Name</form>"},
    {"<meta name=csrf-token content=1><p>a", "<meta name=csrf-token content=2><p>a"},
    {"<form action=/login?token=1>Name</form>", "<form action=/login?token=2>Name</form>"},
    {"<form><input name=__VIEWSTATE type=hidden value=aa>x</form>",
     "<form><input name=__VIEWSTATE type=hidden value=bb>x</form>"},
    {"<button data-token=1>go</button>", "<button data-token=2>go</button>"},
    // The order of attributes, their quotes and case.
    {"<a href=x class=c>a</a>", "<a class=c href=x>a</a>"},
    {"<a href=x rel=next title=t>a</a>", "<a title=t rel=next href=x>a</a>"},
    {"<a href=\"x\">a</a>", "<A HREF='x'>a</A>"},
    {"<link rel=next href=c><p>a", "<link href=c rel=next /><p>a"},
    {"<link rel=canonical href=c><p>a", "<p>a"},
    {"<meta name=description content=d><p>a", "<meta content=d name=description><p>a"},
    // White space.
    {"<p>a b</p>", "<p>\n  a\tb\n</p>"},
    {"<p>a</p><p>b</p>", "<p>a</p>\n\n<p>b</p>\n"},
    {"<a href=x>a</a><a href=y>b</a>", "<a href=x>a</a>\n<a href=y>b</a>"},
    {"<title>a b</title>", "<title> a\n b </title>"},
    {"<a href=' x '>a&nbsp;b</a>", "<a href=x>a b</a>"},
};

// Pairs of pages in which one word, link or title differs.
constexpr Pair kDifferent[] = {
    // Words.
    {"<p>a red car</p>", "<p>a blue car</p>"},
    {"<p>a car</p>", "<p>a cars</p>"},
    {"<p>a car</p>", "<p>a Car</p>"},
    {"<p>one two</p>", "<p>two one</p>"},
    {"<p>one</p>", "<p>one one</p>"},
    {"<p>price 10</p>", "<p>price 11</p>"},
    {"<p>yes</p>", "<p>yes.</p>"},
    {"<p>caf\u00e9</p>", "<p>cafe</p>"},
    {"<ul><li>a<li>b</ul>", "<ul><li>a<li>c</ul>"},
    {"<td>1</td><p>x", "<td>2</td><p>x"},
    {"<p>a</p><p>b</p>", "<p>a</p>"},
    {"<h1>old</h1>", "<h1>new</h1>"},
    {"<pre>a\nb</pre>", "<pre>a\nc</pre>"},
    {"<p>a &lt; b</p>", "<p>a &gt; b</p>"},
    {"<option>a", "<option>b"},
    {"<p>\u6771\u4eac</p>", "<p>\u4eac\u90fd</p>"},
    {"<p>a<span>b</span></p>", "<p>a<span hidden>b</span></p>"},
    {"<textarea>a</textarea>", "<textarea>b</textarea>"},
    {"<blockquote>a</blockquote>", "<blockquote>a, he said</blockquote>"},
    {"", "<p>word</p>"},
    // Links.
    {"<a href=x>a</a>", "<a href=y>a</a>"},
    {"<a href=x>a</a>", "<a>a</a>"},
    {"<a href=x>a</a>", "<a href=x>b</a>"},
    {"<a href=x>a</a>", "<a href=X>a</a>"},
    {"<a href=x?a=1>a</a>", "<a href=x?a=2>a</a>"},
    {"<a href=x>a</a><a href=y>b</a>", "<a href=y>a</a><a href=x>b</a>"},
    {"<a href=x>a</a>", "<a href=x>a</a><a href=x></a>"},
    {"<a href=x></a>", "<a href=y></a>"},
    {"<link rel=prev href=c><p>a", "<link rel=prev href=d><p>a"},
    {"<link rel=prev href=c><p>a", "<link rel=next href=c><p>a"},
    {"<link rel=alternate hreflang=de href=d>", "<link rel=alternate hreflang=de href=e>"},
    {"<iframe src=a></iframe>", "<iframe src=b></iframe>"},
    {"<map><area href=a></map>", "<map><area href=b></map>"},
    {"<meta http-equiv=refresh content='0;url=a'>", "<meta http-equiv=refresh content='0;url=b'>"},
    {"<base href=/a/><a href=x>a</a>", "<base href=/b/><a href=x>a</a>"},
    // Titles.
    {"<title>a</title><p>x", "<title>b</title><p>x"},
    {"<title>a</title><p>x", "<p>x"},
    {"<title>a</title>", "<p>a"},
    {"<title>a b</title>", "<title>a b | c</title>"},
    {"<title>a</title><title>b</title>", "<title>b</title><title>a</title>"},
};

TEST(ContentDigest, SameContentHasTheSameDigest) {
  static_assert(std::size(kEqual) == 41);
  for (const Pair& pair : kEqual) EXPECT_EQ(DigestOf(pair.one), DigestOf(pair.other)) << pair.one << "\n" << pair.other;
}

TEST(ContentDigest, OneWordLinkOrTitleMakesAnother) {
  static_assert(std::size(kDifferent) == 40);
  for (const Pair& pair : kDifferent)
    EXPECT_NE(DigestOf(pair.one), DigestOf(pair.other)) << pair.one << "\n" << pair.other;
}

// These values are stored: they may never change within a version.
TEST(ContentDigest, VersionThreeIsPinned) {
  EXPECT_EQ(kContentDigestVersion, 3);
  EXPECT_EQ(DigestOf(""), ToHex(Sha256Of("trawl content 3\n\n\n")));
  EXPECT_EQ(
      DigestOf("<title>The title</title><p>Some <b>words</b><p>more <a href=' l?x '>text</a><img src=i>"
               "<a href=http://EXAMPLE.com/l>x</a><a href=http://other.com/l>y</a>"),
      ToHex(Sha256Of("trawl content 3\nThetitle\nSomewordsmoretextxy\na /dir/l?x\na /l\na http://other.com/l\n")));
  const std::string links =
      "<a href=x></a><a href=/x></a><a href='?x'></a><a href='#x'></a><a href=//example.com/y?z></a>"
      "<a href=mailto:x></a>";
  const auto of = [](const std::string& lines) { return ToHex(Sha256Of("trawl content 3\n\n\n" + lines)); };
  EXPECT_EQ(DigestOf(links), of("a /dir/x\na /x\na /dir/page?x\na #\na /y?z\na mailto:x\n"));
  EXPECT_EQ(DigestOf("<base href=http://www.example.com/b/c?d#e>" + links),
            of("a /b/x\na /x\na /b/c?x\na /b/c?d\na /y?z\na mailto:x\n"));
  EXPECT_EQ(DigestOf("<base href=b/>" + links), of("a /dir/b/x\na /x\na /dir/b/?x\na /dir/b/\na /y?z\na mailto:x\n"));
  EXPECT_EQ(DigestOf("<base href=http://other.com/>" + links),
            of("a http://other.com/x\na http://other.com/x\na http://other.com/?x\na http://other.com/\na /y?z\n"
               "a mailto:x\n"));
  EXPECT_EQ(DigestOf("<base href=//other.com/d/>" + links),
            of("a //other.com/d/x\na //other.com/x\na //other.com/d/?x\na //other.com/d/\na /y?z\na mailto:x\n"));
  EXPECT_EQ(DigestAt("no url", links), of("a x\na /x\na ?x\na #x\na //example.com/y?z\na mailto:x\n"));
}

// A page with a link, at a URL.
struct Placed {
  const char* url;
  const char* href;
};

TEST(ContentDigest, LinksToTheOwnHostAreTheSameWhereverThePageLies) {
  constexpr Placed kSame[] = {{"https://example.com/page", "/x?y"},
                              {"https://example.com/page", "https://example.com/x?y"},
                              {"http://example.com/page", "https://example.com/x?y"},
                              {"https://example.com/page", "http://example.com/x?y"},
                              {"https://example.com/page", "//example.com/x?y"},
                              {"https://example.com/page", "HTTPS://Example.COM/x?y"},
                              {"https://www.example.com/page", "https://example.com/x?y"},
                              {"https://example.com/page", "https://www.example.com/x?y"},
                              {"https://example.com/page", "http://example.com:80/x?y"},
                              {"https://example.com/page", "https://example.com:443/x?y"},
                              {"https://example.com/page", "//example.com:80/x?y"},
                              {"https://example.com/page", "https://example.com./x?y"},
                              {"http://mirror.org:8080/page", "http://mirror.org:8080/x?y"},
                              {"http://mirror.org:8080/page", "//mirror.org:8080/x?y"},
                              {"http://192.0.2.1/page", "http://192.0.2.1/x?y"},
                              {"http://[2001:db8::1]/page", "http://[2001:DB8:0::1]/x?y"},
                              {"http://m\u00fcnchen.example/page", "http://M\u00dcNCHEN.example/x?y"},
                              {"http://xn--mnchen-3ya.example/page", "http://m\u00fcnchen.example/x?y"},
                              {"https://example.com/page", "x?y"},
                              {"https://example.com/page", "./x?y"},
                              {"https://example.com/page", "../../x?y"},
                              {"https://example.com/a/b/page", "../../x?y"},
                              {"https://example.com/a/b/page", "../c/../../x?y"},
                              {"https://example.com/a/b/page", "/d/%2e%2E/x?y#z"},
                              {"https://example.com/a/b/page", "\\\\example.com\\x?y"},
                              {"https://example.com/a/b/page", "http://example.com/./x?y#z"},
                              {"http://mirror.org/other/folder/page", "/x?y"}};
  const auto digest = [](const Placed& placed, const std::string& before, const std::string& after) {
    return DigestAt(placed.url, before + placed.href + after);
  };
  for (const Placed& placed : kSame) {
    SCOPED_TRACE(std::string(placed.url) + " " + placed.href);
    EXPECT_EQ(digest(placed, "<a href='", "'>a</a>"), digest(kSame[0], "<a href='", "'>a</a>"));
    EXPECT_EQ(digest(placed, "<link rel=next href='", "'>"), digest(kSame[0], "<link rel=next href='", "'>"));
    EXPECT_EQ(digest(placed, "<base href='", "'><a href=z>a</a>"), DigestOf("<a href=/z>a</a>"));
  }
  EXPECT_EQ(DigestAt("http://a.com/p", "<a href=http://a.com>a</a>"), DigestAt("http://b.com/p", "<a href=/>a</a>"));
  EXPECT_EQ(DigestAt("http://a.com/p", "<a href=http://a.com?q>a</a>"),
            DigestAt("http://b.com/p", "<a href='/?q'>a</a>"));
}

TEST(ContentDigest, LinksToOtherHostsCountWhole) {
  constexpr Placed kOthers[] = {{"https://example.com/page", "https://example.org/x"},
                                {"https://example.com/page", "https://example.com.org/x"},
                                {"https://example.com/page", "https://sub.example.com/x"},
                                {"https://example.com/page", "https://example.com:8443/x"},
                                {"https://example.com:8443/page", "https://example.com/x"},
                                {"https://example.com/page", "https://me@example.com/x"},
                                {"https://example.com/page", "ftp://example.com/x"},
                                {"https://example.com/page", "http://example.com:8080/x"},
                                {"no url", "https://example.com/x"}};
  for (const Placed& placed : kOthers) {
    EXPECT_NE(DigestAt(placed.url, std::string("<a href='") + placed.href + "'>a</a>"), DigestOf("<a href=/x>a</a>"))
        << placed.url << " " << placed.href;
  }
  EXPECT_NE(DigestOf("<base href=http://other.com/><a href=/x>a</a>"),
            DigestOf("<base href=http://other.com/><a href=http://example.com/x>a</a>"));
}

TEST(ContentDigest, TheSameBytesAreAnotherPageWhereTheirLinksLeadElsewhere) {
  const auto at = [](const char* url, const char* href) {
    return DigestAt(url, std::string("<p>text <a href='") + href + "'>a</a>");
  };
  for (const char* href : {"p1.html", "./p1.html", "?p=2", "?p=\u00e9", "d/"}) {
    SCOPED_TRACE(href);
    EXPECT_NE(at("http://example.com/jan/", href), at("http://example.com/mar/", href));
    EXPECT_EQ(at("http://example.com/jan/", href), at("https://www.example.com/jan/", href));
    EXPECT_EQ(at("http://example.com/jan/", href), at("http://mirror.org/jan/", href));
    EXPECT_EQ(at("http://example.com/jan/", href), at("http://example.com/jan/index.html", href));
    EXPECT_EQ(at("http://example.com/jan/", href), at("http://example.com/jan/?session=1", href));
  }
  EXPECT_NE(at("http://example.com/jan", "p1.html"), at("http://example.com/jan/", "p1.html"));
  for (const char* href : {"#top", "", "?p=2", "/p1.html", "http://example.com/p1.html"}) {
    EXPECT_EQ(at("http://example.com/jan", href), at("http://example.com/jan/", href)) << href;
  }
  EXPECT_EQ(at("http://example.com/jan", "#top"), at("http://example.com/mar", "#end"));
  EXPECT_EQ(at("http://example.com/docs/", "p1.html"),
            at("http://example.com/docs/", "http://example.com/docs/p1.html"));
  EXPECT_EQ(at("http://example.com/docs/", "//Other.com:443/x y"), at("http://example.com/", "//other.com:443/x%20y"));
}

TEST(ContentDigest, QueriesAreInTheEncodingOfThePage) {
  const HtmlPage page = HtmlParser().Parse("<a href='?q=\u00e9'>a</a>");
  EXPECT_EQ(ContentDigest(page, "http://a.com/p", "windows-1252"),
            ContentDigest(HtmlParser().Parse("<a href='?q=%E9'>a</a>"), "http://a.com/p"));
}

// Links that a parser of URLs is not asked about are written as it would write them.
TEST(ContentDigest, PlainLinksAreReadAsTheParserReadsThem) {
  const std::string page_url = "http://example.com/a/b/c?d";
  const BaseUrl base = *BaseUrl::Make(page_url);
  int checked = 0;
  for (const char* start :
       {"", "/", "../", "./", "../../../", "http://example.com/", "http://other.com/", "//other.com/", "http://127.1/",
        "http://Other.com/", "https:", "https:/x", "/..", "..", ".", "http://other.com"}) {
    for (const char* end :
         {"",   "x",    "x/../y",  "x/./y", "x/.", "%7ex", "%2e%2e/x", "x?a=../b", "x?a='b'", "x//y", "x y", "?",
          "x?", "?a b", "x;y=1,2", "x#f",   "x|y", "a:b",  "x\\y",     "\u00e9",   ".x",      "..x/", "x=%"}) {
      const std::string href = std::string(start) + end;
      if (href.empty() || href.front() == '?' || href.starts_with("a:")) continue;
      Url url;
      std::string leads_to = url.Resolve(href, base) ? std::string(url.without_fragment()) : href;
      if (leads_to.starts_with("http://example.com/")) leads_to.erase(0, 18);
      if (href.starts_with("//")) leads_to.erase(0, 5);
      HtmlPage page;
      page.links.push_back({.href = href});
      EXPECT_EQ(ToHex(Bytes(ContentDigest(page, page_url))),
                ToHex(Sha256Of("trawl content 3\n\n\na " + leads_to + "\n")))
          << href << " leads to " << leads_to;
      ++checked;
    }
  }
  EXPECT_EQ(checked, 16 * 23 - 4);
}

}  // namespace
}  // namespace trawl
