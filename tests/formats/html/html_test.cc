#include "formats/html/html.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "formats/html/page_builder.h"
#include "formats/html/scan.h"
#include "formats/html/urls.h"

namespace trawl {
namespace {

HtmlPage Parse(const std::string& html, HtmlOptions options = {}) { return HtmlParser(std::move(options)).Parse(html); }

// Reads a page with the flat scan only, like a page whose tree was refused.
HtmlPage Scan(const std::string& html) {
  HtmlPage page;
  const HtmlOptions options;
  HtmlPageBuilder builder(options, &page);
  ScanHtml(html, &builder);
  builder.Finish();
  return page;
}

// Writes "a:href[text]" for each link.
std::string LinksOf(const std::vector<HtmlLink>& links) {
  std::string list;
  for (const HtmlLink& link : links) {
    if (!list.empty()) list += ' ';
    list += std::string(LinkKindName(link.kind)) + ':' + link.href;
    if (!link.text.empty()) list += '[' + link.text + ']';
  }
  return list;
}

struct Case {
  std::string html, wanted;
};

// HTML Standard 3.1.5, "title": the first title element counts, stripped and collapsed.
TEST(Html, TitleIsTheFirstOfThePage) {
  const Case cases[] = {
      {"<title> A &amp;\n B </title><title>C</title>", "A & B"},
      {"<title></title><title>C</title>", ""},
      {"<svg><title>Icon</title></svg><title>Page</title>", "Page"},
      {"<body><p>x<title>Late</title>", "Late"},
      {"<title><b>x</b></title>", "<b>x</b>"},
      {"no title", ""},
  };
  for (const Case& c : cases) EXPECT_EQ(Parse(c.html).title, c.wanted) << c.html;
}

TEST(Html, TextHasOneLineForEachBlock) {
  const Case cases[] = {
      {"a<p>b</p>c", "a\nb\nc"},
      {"<p>a <b> b</b>\n\n c</p>", "a b c"},
      {"<div><div>a</div></div><div>b</div>", "a\nb"},
      {"a<br>b<br><br>c<hr>d", "a\nb\nc\nd"},
      {"a<span>b</span>c", "abc"},
      {"<table><tr><td>1<td>2<tr><th>3<td>4</table>", "1 2\n3 4"},
      {"<ul><li>a<li>b<ul><li>c</ul></ul>", "a\nb\nc"},
      {"a&nbsp;&nbsp;b&#x20;c&eacute;", "a b c\u00e9"},
      {"<pre>\n a\n  b\n\nc</pre>d\ne", "a\nb\nc\nd e"},
      {"<select><option>a<option>b</select>", "a\nb"},
      {"soft<wbr>break", "softbreak"},
      {"<ruby>\u6f22<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "\u6f22kan"},
      {"<button>a</button> <label>b <input value=c></label>", "a b"},
      {"<svg><text>drawn</text><desc>not</desc></svg>", "drawn"},
      {"<math><mi>x</mi><annotation>\\x</annotation></math>", "x"},
  };
  for (const Case& c : cases) EXPECT_EQ(Parse(c.html).text, c.wanted) << c.html;
}

TEST(Html, HiddenTextIsNotRead) {
  const Case cases[] = {
      {"a<script>b</script><style>c</style><template>d</template><noscript>e</noscript>", "a"},
      {"a<div hidden>b<p>c</div>d", "ad"},
      {"<p style='DISPLAY : None !important'>a</p>b", "b"},
      {"<p style='color:red; visibility:hidden'>a</p>b", "b"},
      {"<p style='display:block'>a</p>", "a"},
      {"<p style='content:\"display:none\"'>a</p>", "a"},
      {"<iframe>a</iframe><noframes>b</noframes><noembed>c</noembed>d", "d"},
      {"<video>a</video><audio>b</audio><datalist><option>c</datalist>d", "d"},
      {"<dialog>a</dialog><dialog open>b</dialog>", "b"},
      {"<!-- a -->b<![CDATA[c]]>", "b"},
      {"<body hidden style='visibility:hidden'>shown by a script", "shown by a script"},
      {"<div hidden><div hidden>a</div>b</div>c", "c"},
  };
  for (const Case& c : cases) EXPECT_EQ(Parse(c.html).text, c.wanted) << c.html;
}

TEST(Html, LinksThatMayEnterTheCrawl) {
  const Case cases[] = {
      {"<a href=' x '>t</a>", "a:x[t]"},
      {"<a>t</a><a name=n>u</a>", ""},
      {"<a href=''>t</a><a href=#f>u</a>", "a:[t] a:#f[u]"},
      {"<a href=x><img alt='A  b' src=i> c<p>d</p></a>", "a:x[A b c d]"},
      {"<a href=x>a<a href=y>b</a>c", "a:x[a] a:y[b]"},
      {"<a href=JavaScript:x()>a</a><a href=data:,x>b</a><a href=about:blank>c</a>", ""},
      {"<a href=mailto:x@example.com>a</a>", "a:mailto:x@example.com[a]"},
      {"<a href='a&amp;b&copy=c'>t</a>", "a:a&b&copy=c[t]"},
      {"<map><area href=x alt='the area'><area alt=none></map>", "area:x[the area]"},
      {"<iframe src=x title=t></iframe><iframe src=''></iframe>", "iframe:x[t]"},
      {"<frameset><frame src=x><frame src=y></frameset>", "frame:x frame:y"},
      {"<link rel=canonical href=c><link rel='NEXT nofollow' href=n><link rel=prev href=p>",
       "canonical:c next:n prev:p"},
      {"<link rel=alternate type=application/rss+xml title=Feed href=f>", "alternate:f[Feed]"},
      {"<link rel='alternate stylesheet' href=s><link rel=dns-prefetch href=//x>", ""},
      {"<meta http-equiv=Refresh content='5; url=r'>", "refresh:r"},
      {"<meta http-equiv=refresh content=5>", ""},
      {"<svg><a xlink:href=x><text>t</text></a></svg>", "a:x[t]"},
      {"<noscript><a href=x>t</a></noscript>", "a:x[t]"},
      {"<div hidden><a href=x>t<script>u</script></a></div>", "a:x[t]"},
      {"<a href=x>t<span hidden>u</span></a>", "a:x[t]"},
      {"<template><a href=x>t</a></template>", ""},
      {"<form action=x><button formaction=y onclick=\"go('z')\" data-href=w>t</button></form>", ""},
  };
  for (const Case& c : cases) EXPECT_EQ(LinksOf(Parse(c.html).links), c.wanted) << c.html;
}

TEST(Html, ResourcesAreOnlyRecorded) {
  const Case cases[] = {
      {"<img src=a srcset='b 1x, c 2x,d'>", "image:a image:b image:c image:d"},
      {"<img srcset='a,b 100w, c(,) 1x'>", "image:a,b image:c(,)"},
      {"<img src=data:image/gif;base64,R0l>", ""},
      {"<script src=a></script><link rel=stylesheet href=b><link rel='shortcut icon' href=c>",
       "script:a style:b image:c"},
      {"<video src=a poster=b><source src=c><track src=d></video>", "image:b media:a media:c media:d"},
      {"<picture><source srcset=a><img src=b></picture>", "image:a image:b"},
      {"<embed src=a><object data=b></object><input type=image src=c>", "media:a media:b image:c"},
      {"<svg><image href=a /></svg>", "image:a"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(LinksOf(Parse(c.html).resources), c.wanted) << c.html;
    EXPECT_TRUE(Parse(c.html).links.empty()) << c.html;
  }
}

TEST(Html, RelLanguageAndTypeAreKept) {
  const HtmlPage page = Parse(
      "<a href=x rel=' NoFollow  ugc '>t</a><link rel=alternate hreflang=de-AT href=y><link rel=alternate "
      "type='Text/HTML' href=z>");
  ASSERT_EQ(page.links.size(), 3u);
  EXPECT_EQ(page.links[0].rel, "nofollow ugc");
  EXPECT_EQ(page.links[1].language, "de-AT");
  EXPECT_EQ(page.links[2].media_type, "text/html");
}

TEST(Html, MetaRobotsAreMerged) {
  const HtmlPage page = Parse(
      "<meta name=Robots content=NOINDEX><meta name=trawl content='nofollow; noarchive'><meta name=otherbot "
      "content=nosnippet>"
      "<meta name=robots content='noai noimageai'>");
  EXPECT_TRUE(page.robots.noindex);
  EXPECT_TRUE(page.robots.nofollow);
  EXPECT_TRUE(page.robots.noarchive);
  EXPECT_FALSE(page.robots.nosnippet);
  EXPECT_TRUE(page.robots.noai);
  EXPECT_TRUE(page.robots.noimageai);
  EXPECT_TRUE(Parse("<body><meta name=robots content=none>").robots.nofollow);
  EXPECT_FALSE(Parse("<meta name=robots content='index, follow'>").robots.noindex);
}

TEST(Html, PageSaysWhatItIs) {
  const HtmlPage page = Parse(
      "<html lang=' de '><meta http-equiv=content-language content=fr><meta name=description content=' A  b '>"
      "<meta name=description content=C><meta name=tdm-reservation content=1><meta name=tdm-policy content=/p>");
  EXPECT_EQ(page.language, "de");
  EXPECT_EQ(page.description, "A b");
  EXPECT_EQ(page.tdm_reservation, 1);
  EXPECT_EQ(page.tdm_policy, "/p");
  EXPECT_EQ(Parse("<meta http-equiv=content-language content=fr>").language, "fr");
  EXPECT_EQ(Parse("<p>").tdm_reservation, -1);
}

TEST(Html, AmphtmlIsFoundWithoutResources) {
  EXPECT_EQ(Parse("<link rel='AMPHTML' href=' /amp '><link rel=amphtml href=/2>").amphtml_href, "/amp");
  EXPECT_EQ(Parse("<link rel=amp href=/x><a rel=amphtml href=/y>").amphtml_href, "");
}

TEST(Html, FirstRefreshCounts) {
  const HtmlPage page = Parse(
      "<meta http-equiv=refresh content=x><meta http-equiv=refresh content='3;url=a'><meta http-equiv=refresh "
      "content=1>");
  ASSERT_TRUE(page.refresh.has_value());
  EXPECT_EQ(page.refresh->delay_s, 3);
  EXPECT_EQ(page.refresh->url, "a");
}

TEST(Html, ApplicationsShowThemselves) {
  const HtmlPage page = Parse(
      "<div id=root></div><noscript>You need to enable JavaScript.</noscript><script "
      "src=a></script><script>b</script>");
  EXPECT_TRUE(page.script_hints.application_root);
  EXPECT_TRUE(page.script_hints.asks_for_script);
  EXPECT_EQ(page.script_hints.scripts, 2u);
  EXPECT_TRUE(page.text.empty());
}

// HTML Standard 2.4.3 and 4.2.3: the first base element with an href counts, unless it is data: or javascript:.
TEST(Html, BaseIsResolvedAgainstThePage) {
  const Case cases[] = {
      {"<p>", "http://e.test/d/p?q"},
      {"<base href=/x/>", "http://e.test/x/"},
      {"<base target=t><base href=y><base href=z>", "http://e.test/d/y"},
      {"<base href=data:,x>", "http://e.test/d/p?q"},
      {"<base href=http://[x>", "http://e.test/d/p?q"},
      {"<p><base href=' //o.test '>", "http://o.test/"},
  };
  for (const Case& c : cases) {
    const auto base = BaseOfPage(Parse(c.html), "http://e.test/d/p?q", "UTF-8");
    ASSERT_TRUE(base.ok());
    EXPECT_EQ(base->href(), c.wanted) << c.html;
  }
  EXPECT_FALSE(BaseOfPage(HtmlPage(), "nothing", "UTF-8").ok());
}

TEST(Html, WhatIsCutIsCounted) {
  HtmlOptions options;
  options.max_links = 2;
  options.max_resources = 1;
  options.max_text_bytes = 5;
  options.max_link_text_bytes = 3;
  options.max_href_bytes = 4;
  const HtmlPage page =
      Parse("<a href=12345>x</a><a href=1>abcd</a><a href=2></a><a href=3></a><img src=i><img src=j>", options);
  EXPECT_EQ(LinksOf(page.links), "a:1[ab] a:2");
  EXPECT_EQ(page.cuts.links, 2u);
  EXPECT_EQ(page.cuts.resources, 1u);
  EXPECT_EQ(page.text, "xabc");
  EXPECT_EQ(page.cuts.text_bytes, 1u);
  options.max_text_bytes = 6;
  EXPECT_EQ(Parse("\u00fc\u00fc\u00fc\u00fc", options).text, "\u00fc\u00fc");  // never cuts a character
}

TEST(Html, FlatScanGivesTheSameOnSoundPages) {
  const std::string pages[] = {
      "<!doctype html><html lang=en><head><title>A &amp; B</title><base href=/x/><link rel=canonical href=c><meta "
      "name=robots "
      "content=noindex></head><body><nav><a href=1>one</a> <a href='2'>two <img src=i alt=pic></a></nav><p>Some "
      "<b>bold</b> "
      "&eacute;t&eacute;<br>line</p><ul><li>a</li><li>b</li></ul><table><tr><td>1</td><td>2</td></tr></table></body></"
      "html>",
      "<p>a</p><script>if (a < b) document.write('<a href=x>')</script><style>p>a{}</style><p>b</p><!-- <a href=y> -->",
      "<div hidden>no <div>no</div> <a href=h>h</a></div><p>yes</p><template><a href=t>no</a></template><p>also</p>",
      "<title>T</title><textarea>x &lt; y</textarea><noscript>Enable JavaScript <a href=n>n</a></noscript><p>z",
      "<p title='a>b' class=\"c\" data-x=y>text</p>a < b &amp;c &unknown; &#x41;&#66",
  };
  for (const std::string& html : pages) {
    const HtmlPage tree = Parse(html), flat = Scan(html);
    EXPECT_EQ(flat.title, tree.title) << html;
    EXPECT_EQ(flat.text, tree.text) << html;
    EXPECT_EQ(LinksOf(flat.links), LinksOf(tree.links)) << html;
    EXPECT_EQ(LinksOf(flat.resources), LinksOf(tree.resources)) << html;
    EXPECT_EQ(flat.robots.noindex, tree.robots.noindex) << html;
    EXPECT_EQ(flat.language, tree.language) << html;
  }
}

TEST(Html, ParserIsUsedAgain) {
  HtmlParser parser;
  const std::string deep(1 << 20, '<');
  std::string nested;
  for (int i = 0; i < 100'000; ++i) nested += "<div>";
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(parser.Parse("<p>a<p>b").text, "a\nb");
    EXPECT_EQ(parser.Parse(nested + "x").tree, HtmlTreeState::kTooDeep);
    EXPECT_EQ(parser.Parse(deep).tree, HtmlTreeState::kComplete);
    EXPECT_EQ(parser.Parse("").text, "");
  }
}

TEST(Html, ThreadsParseSideBySide) {
  std::string page = "<title>t</title>";
  for (int i = 0; i < 2000; ++i) page += "<p>word <a href=" + std::to_string(i) + ">link</a>";
  std::string multiplies = "<p>";
  for (int i = 0; i < 400; ++i) multiplies += "<b id=" + std::to_string(i) + ">";
  for (int i = 0; i < 2000; ++i) multiplies += "<p>x";
  std::vector<std::thread> threads;
  std::vector<int> sound(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      HtmlParser parser;
      for (int i = 0; i < 5; ++i) {
        const bool is_page = parser.Parse(page).links.size() == 2000;
        const bool is_refused = parser.Parse(multiplies).tree != HtmlTreeState::kComplete;
        sound[static_cast<size_t>(t)] += is_page && is_refused;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sound, std::vector<int>(4, 5));
}

}  // namespace
}  // namespace trawl
