#include "formats/html/content_digest.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/digests/digest.h"

namespace trawl {
namespace {

struct Pair {
  const char* one;
  const char* other;
};

std::string DigestOf(const std::string& html) {
  const Sha256Value digest = ContentDigest(HtmlParser().Parse(html));
  return ToHex(std::string_view(reinterpret_cast<const char*>(digest.data()), digest.size()));
}

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
    {"<link rel=canonical href=c><p>a", "<link href=c rel=canonical /><p>a"},
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
    {"<link rel=canonical href=c><p>a", "<link rel=canonical href=d><p>a"},
    {"<link rel=canonical href=c><p>a", "<link rel=next href=c><p>a"},
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
  static_assert(std::size(kEqual) == 40);
  for (const Pair& pair : kEqual) EXPECT_EQ(DigestOf(pair.one), DigestOf(pair.other)) << pair.one << "\n" << pair.other;
}

TEST(ContentDigest, OneWordLinkOrTitleMakesAnother) {
  static_assert(std::size(kDifferent) == 40);
  for (const Pair& pair : kDifferent)
    EXPECT_NE(DigestOf(pair.one), DigestOf(pair.other)) << pair.one << "\n" << pair.other;
}

// These values are stored: they may never change within a version.
TEST(ContentDigest, VersionOneIsPinned) {
  EXPECT_EQ(kContentDigestVersion, 1);
  EXPECT_EQ(DigestOf(""), ToHex(Sha256Of("trawl content 1\n\n\n")));
  EXPECT_EQ(
      DigestOf(
          "<title>The title</title><base href=/b/><p>Some <b>words</b><p>more <a href=' l?x '>text</a><img src=i>"),
      ToHex(Sha256Of("trawl content 1\nThetitle\nSomewordsmoretext\na l?x\nbase /b/\n")));
}

}  // namespace
}  // namespace trawl
