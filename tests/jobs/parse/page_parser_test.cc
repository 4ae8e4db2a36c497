#include "jobs/parse/page_parser.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "formats/digests/text_sketch.h"
#include "formats/rows/times.h"
#include "formats/sitemap/gzip.h"
#include "formats/url/key.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

CrawlScope DomainPolicy() {
  CrawlScopeOptions options;
  options.scope = UrlScope::kDomain;
  options.scope_hosts = {"www.example.com"};
  options.max_depth = 3;
  return CrawlScope::Make(std::move(options)).ValueOrDie();
}

ContentRow Page(std::string body, std::string content_type = "text/html; charset=utf-8") {
  ContentRow content;
  content.url = "https://www.example.com/dir/page";
  content.key = KeyOfUrl(content.url).ValueOrDie();
  content.content_type = std::move(content_type);
  content.body = std::move(body);
  content.first_parse = true;
  return content;
}

ParsedPage ParsePage(const ContentRow& content, const PageParserOptions& options = {}) {
  const CrawlScope policy = DomainPolicy();
  PageParser parser(options, NormalForm::kStandard, policy);
  ParsedPage parsed;
  parser.Parse(content, &parsed);
  return parsed;
}

std::vector<std::string> Targets(const ParsedPage& parsed, bool entering) {
  std::vector<std::string> keys;
  for (const LinkRow& link : parsed.links) {
    if (link.enters == entering) keys.push_back(link.to);
  }
  return keys;
}

TEST(PageParser, PagesOfWhichTextIsCutAreComparedByTheirBytes) {
  std::string text;
  for (int word = 0; word < 50; ++word) text += "word" + std::to_string(word) + ' ';
  for (const char* type : {"text/html", "text/plain"}) {
    SCOPED_TRACE(type);
    ContentRow one = Page(text + "one", type), other = Page(text + "other", type);
    one.body_digest = "bytes of one";
    other.body_digest = "bytes of the other";
    const PageParserOptions cut = {.max_text_bytes = 200};
    EXPECT_EQ(ParsePage(one, cut).row.content_digest, one.body_digest);
    EXPECT_EQ(ParsePage(other, cut).row.content_digest, other.body_digest);
    EXPECT_FALSE(ParsePage(one, cut).row.has_simhash);
    EXPECT_GT(ParsePage(one, cut).row.text_cut, 0);
    EXPECT_EQ(ParsePage(one).row.content_digest.size(), 32u);
    EXPECT_TRUE(ParsePage(one).row.has_simhash);
    EXPECT_EQ(ParsePage(one).row.text_cut, 0);
  }
}

TEST(PageParser, TakesItemsAndWhatAPageStatesOfItself) {
  ContentRow content = Page(
      "<base href=/b/><script type=application/ld+json>{\"@type\":\"NewsArticle\",\"datePublished\":\"2025-01-02\","
      "\"author\":\"A\",\"image\":\"i.png\",}</script><meta property=og:type content=article>"
      "<p itemscope itemtype=http://schema.org/Thing><a itemprop=url href=x>t</a>");
  content.fetched_ms = 1'767'268'800'000;
  const ParsedPage parsed = ParsePage(content);
  ASSERT_EQ(parsed.items.size(), 3u);
  EXPECT_EQ(parsed.facts.items, 3);
  EXPECT_EQ(parsed.items[0].syntax, "opengraph");
  EXPECT_EQ(parsed.items[1].repaired, "commas");
  EXPECT_EQ(parsed.items[1].type, "NewsArticle");
  EXPECT_EQ(parsed.items[2].json, R"({"@type":"Thing","url":"https://www.example.com/b/x"})");
  for (const ItemRow& item : parsed.items) {
    EXPECT_EQ(item.key, content.key);
    EXPECT_EQ(item.url, content.url);
    EXPECT_EQ(item.fetched_ms, content.fetched_ms);
  }
  EXPECT_EQ(parsed.facts.published_ms, 1'735'776'000'000);
  EXPECT_EQ(parsed.facts.published_from, "jsonld");
  EXPECT_EQ(parsed.facts.author, "A");
  EXPECT_EQ(parsed.facts.image, "https://www.example.com/b/i.png");
  EXPECT_EQ(parsed.facts.schema_types, "NewsArticle Thing");
  EXPECT_EQ(parsed.facts.og_type, "article");

  content.fetched_ms = 1'700'000'000'000;
  EXPECT_EQ(ParsePage(content).facts.published_ms, 0) << "a date after the fetch is none";
  EXPECT_TRUE(ParsePage(Page("{\"@type\":\"A\"}", "text/plain")).items.empty());
  content.kind = UrlKind::kProbe;
  EXPECT_TRUE(ParsePage(content).items.empty()) << "an answer to a path that cannot exist states nothing";
}

TEST(PageParser, CountsItsReaders) {
  const CrawlScope policy = DomainPolicy();
  PageParser parser({}, NormalForm::kStandard, policy);
  ParsedPage parsed;
  for (const char* page : {"<p>a", "<table>a", "<p>b", "<table>b", "<isindex>"}) parser.Parse(Page(page), &parsed);
  EXPECT_EQ(parser.reader_counts().scan, 2);
  EXPECT_EQ(parser.reader_counts().tree, 3);
  EXPECT_EQ(parser.reader_counts().wild[static_cast<size_t>(HtmlWild::kFostered)], 2);
  EXPECT_EQ(parser.reader_counts().wild[static_cast<size_t>(HtmlWild::kIsindex)], 1);

  PageParser with_tree({.reader = HtmlReading::kTree}, NormalForm::kStandard, policy);
  with_tree.Parse(Page("<p>a"), &parsed);
  EXPECT_EQ(with_tree.reader_counts().scan, 0);
  EXPECT_EQ(with_tree.reader_counts().tree, 1);
}

TEST(PageParser, LinksInScopeEnterOnce) {
  const ParsedPage parsed =
      ParsePage(Page("<title>T</title><a href=/a>A</a><a href='/a#b'>again</a><a href=b?utm_source=x>B</a><a "
                     "href='//other.test/'>out</a>"
                     "<a href='https://blog.example.com/'>C</a><a href='mailto:x@y'>m</a><a href='page'>self</a>"));
  EXPECT_EQ(parsed.row.title, "T");
  EXPECT_EQ(Targets(parsed, true),
            (std::vector<std::string>{"com,example,www)/a", "com,example,www)/dir/b", "com,example,blog)/"}));
  EXPECT_EQ(parsed.links[0].text, "A");
  EXPECT_EQ(parsed.links[0].depth, 1);
  EXPECT_TRUE(parsed.links[0].counts);
  // Requests use the spelling that was found.
  EXPECT_EQ(parsed.links[1].url, "https://www.example.com/dir/b?utm_source=x");
  EXPECT_EQ(parsed.row.links, 3);
}

TEST(PageParser, NofollowIsRecordedAndNotFollowed) {
  const ParsedPage parsed =
      ParsePage(Page("<a rel='external NoFollow' href=/a>A</a><a href=/b>B</a><a href=/a>A</a>"
                     "<a rel=nofollow href=/c>C</a>"));
  EXPECT_EQ(Targets(parsed, true), (std::vector<std::string>{"com,example,www)/a", "com,example,www)/b"}));
  EXPECT_EQ(Targets(parsed, false), (std::vector<std::string>{"com,example,www)/c"}));
  const ParsedPage all = ParsePage(Page("<meta name=robots content='nofollow,noindex'><a href=/a>A</a>"));
  EXPECT_TRUE(all.row.nofollow && all.row.noindex);
  EXPECT_EQ(Targets(all, false), (std::vector<std::string>{"com,example,www)/a"}));
}

TEST(PageParser, HeaderFieldsCountLikeMetaElements) {
  ContentRow content = Page("<a href=/a>A</a>");
  content.headers =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Robots-Tag: nofollow, noai\r\n"
      "Link: </real>; rel=\"canonical\"\r\nContent-Language: de\r\n\r\n";
  const ParsedPage parsed = ParsePage(content);
  EXPECT_TRUE(parsed.row.nofollow && parsed.row.noai);
  EXPECT_EQ(parsed.row.canonical_to, "com,example,www)/real");
  EXPECT_EQ(parsed.row.declared_language, "de");
  EXPECT_EQ(Targets(parsed, true), std::vector<std::string>{});
}

ContentRow PageWithFields(std::string body, const std::string& fields, const std::string& type = "text/html") {
  ContentRow content = Page(std::move(body));
  content.headers = "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\n" + fields + "\r\n";
  return content;
}

TEST(PageParser, WhatThePageAndItsHeaderFieldsAskForIsMerged) {
  const ParseRow row =
      ParsePage(PageWithFields("<meta name=robots content='noai; noimageai'><meta name=trawl content=nosnippet>"
                               "<meta name=otherbot content=noindex>",
                               "X-Robots-Tag: noarchive, otherbot: nofollow\r\n"
                               "X-Robots-Tag: unavailable_after: 25 Jun 2030 15:00:00 GMT\r\n"
                               "content-signal: search=yes, ai-train=no\r\nContent-Signal: ai-input=no\r\n"))
          .row;
  EXPECT_TRUE(row.noarchive && row.noai && row.noimageai && row.nosnippet);
  EXPECT_FALSE(row.noindex || row.nofollow);
  EXPECT_EQ(row.unavailable_after_ms, 1'908'630'000'000);
  EXPECT_EQ(row.content_signal, "ai-input=no, ai-train=no, search=yes");
}

TEST(PageParser, APagesWordOnDataMiningGoesBeforeItsHeaderFields) {
  const std::string reserved = "tdm-reservation: 1\r\ntdm-policy: https://www.example.com/policy.json\r\n";
  const ParseRow by_header = ParsePage(PageWithFields("<p>", reserved)).row;
  EXPECT_EQ(by_header.tdm_reservation, 1);
  EXPECT_EQ(by_header.tdm_policy, "https://www.example.com/policy.json");
  EXPECT_EQ(ParsePage(PageWithFields("<meta name=tdm-reservation content=0>", reserved)).row.tdm_reservation, 2);
  EXPECT_EQ(ParsePage(PageWithFields("text", reserved, "text/plain")).row.tdm_reservation, 1);
  EXPECT_EQ(ParsePage(PageWithFields("<p>", "tdm-reservation: 2\r\n")).row.tdm_reservation, 0);
  EXPECT_EQ(ParsePage(PageWithFields("<p>", "tdm-policy: \xff\xfe\r\n")).row.tdm_policy, "") << "no bytes of no text";
}

TEST(PageParser, HeaderFieldsCountWhereTheBodyCannotBeRead) {
  ContentRow content = PageWithFields("??", "X-Robots-Tag: noarchive\r\n");
  content.kept_codings = "zip";
  const ParseRow row = ParsePage(content).row;
  EXPECT_TRUE(row.failed && row.noarchive);
}

TEST(PageParser, OtherFormsOfAPage) {
  const ParsedPage parsed =
      ParsePage(PageWithFields("<link rel=amphtml href=/amp><link rel=alternate hreflang=fr href=/fr>",
                               "Link: </de>; rel=alternate; hreflang=\"de\", </x>; rel=alternate; hreflang=\"a b\", "
                               "</y>; rel=alternate; hreflang=\xff\r\n"));
  EXPECT_EQ(parsed.row.amphtml_url, "https://www.example.com/amp");
  EXPECT_EQ(parsed.row.alternates, "fr\thttps://www.example.com/fr\nde\thttps://www.example.com/de\n");
  EXPECT_EQ(Targets(parsed, true), (std::vector<std::string>{"com,example,www)/fr", "com,example,www)/de"}));
  const ParseRow text = ParsePage(PageWithFields("text", "Link: </page.html>; rel=canonical\r\n", "text/plain")).row;
  EXPECT_EQ(text.canonical_to, "com,example,www)/page.html");
}

TEST(PageParser, DepthLimitsWhatEnters) {
  ContentRow content = Page("<a href=/a>A</a>");
  content.depth = 3;
  const ParsedPage deep = ParsePage(content);
  ASSERT_EQ(deep.links.size(), 1u) << "a link of the graph";
  EXPECT_FALSE(deep.links[0].enters);
  EXPECT_FALSE(deep.links[0].counts);
  content.depth = 2;
  EXPECT_EQ(ParsePage(content).links.size(), 1u);
}

TEST(PageParser, ResourcesAreRecordedWhenAskedFor) {
  const ContentRow content = Page("<a href=/a>A</a><img src=/i.png><script src=/s.js></script>");
  EXPECT_EQ(ParsePage(content).links.size(), 1u);
  PageParserOptions options;
  options.resources = true;
  const ParsedPage parsed = ParsePage(content, options);
  EXPECT_EQ(parsed.links.size(), 3u);
  EXPECT_EQ(Targets(parsed, true).size(), 1u);
}

TEST(PageParser, SitemapsAndFeedsGiveLinks) {
  const std::string urlset =
      "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
      "<url><loc>https://www.example.com/x</loc><priority>0.8</priority></url>"
      "<url><loc>https://other.test/</loc></url></urlset>";
  ContentRow sitemap = Page(urlset, "application/xml");
  const ParsedPage parsed = ParsePage(sitemap);
  EXPECT_EQ(parsed.row.sitemap, "urlset");
  EXPECT_EQ(Targets(parsed, true), (std::vector<std::string>{"com,example,www)/x"}));
  EXPECT_EQ(parsed.links[0].priority, 800'000);

  sitemap.kind = UrlKind::kSitemap;
  sitemap.body = "<html>no sitemap";
  EXPECT_TRUE(ParsePage(sitemap).row.failed);

  const std::string index = "<sitemapindex><sitemap><loc>https://www.example.com/s1.xml</loc></sitemap></sitemapindex>";
  EXPECT_EQ(ParsePage(Page(index, "text/xml")).links[0].kind, UrlKind::kSitemap);
  const std::string rss =
      "<rss version='2.0'><channel><item><link>https://www.example.com/n</link></item></channel></rss>";
  const ParsedPage feed = ParsePage(Page(rss, "application/rss+xml"));
  ASSERT_EQ(feed.links.size(), 1u);
  EXPECT_EQ(feed.links[0].how, "feed");
  // XML Base: relative to the feed's own URL, from element to element.
  const std::string atom =
      "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='/blog/'><entry xml:base='2005/'><link href='1'/></entry>"
      "<entry><link href='2'/></entry></feed>";
  EXPECT_EQ(Targets(ParsePage(Page(atom, "application/atom+xml")), true),
            (std::vector<std::string>{"com,example,www)/blog/2005/1", "com,example,www)/blog/2"}));
}

TEST(PageParser, EntriesOfASitemapHaveItsWord) {
  ContentRow sitemap = Page(
      "<urlset><url><loc>/x</loc><priority>0.8</priority><changefreq>daily</changefreq><lastmod>2026-01-01</lastmod>"
      "<image:image><image:loc>/i.png</image:loc></image:image></url><url><loc>/x</loc><priority>0.9</priority></url>"
      "<url><loc>/y</loc><priority>0</priority><xhtml:link rel='alternate' hreflang='de' href='/z'/></url></urlset>",
      "application/xml");
  sitemap.kind = UrlKind::kSitemap;
  sitemap.depth = 2;
  const ParsedPage parsed = ParsePage(sitemap);
  EXPECT_EQ(parsed.row.entries, 3);
  ASSERT_EQ(parsed.links.size(), 3u);
  const LinkRow& x = parsed.links[0];
  EXPECT_EQ(x.depth, 0);
  EXPECT_TRUE(x.enters);
  EXPECT_FALSE(x.counts);
  EXPECT_EQ(x.priority, 900'000);
  EXPECT_EQ(x.interval_ms, kDayMs);
  EXPECT_EQ(x.lastmod_ms, 1'767'225'600'000);
  EXPECT_EQ(x.details, R"({"images":[{"loc":"/i.png"}]})");
  EXPECT_TRUE(parsed.links[1].has_priority);
  EXPECT_EQ(parsed.links[1].priority, 0);
  EXPECT_EQ(parsed.links[2].to, "com,example,www)/z");
  EXPECT_EQ(parsed.links[2].depth, 0);
  EXPECT_FALSE(parsed.links[2].has_priority);
  // Met as a page, or as a feed, it has links.
  for (const UrlKind kind : {UrlKind::kPage, UrlKind::kFeed}) {
    sitemap.kind = kind;
    EXPECT_EQ(ParsePage(sitemap).links[0].depth, 3);
    EXPECT_TRUE(ParsePage(sitemap).links[0].counts);
  }
}

TEST(PageParser, FeedsOfPagesEnterUnlessTheyAreNotWanted) {
  const ContentRow page = Page(
      "<link rel=alternate type=application/rss+xml href=/rss><link rel=alternate type=application/feed+json "
      "href=/json>"
      "<link rel=alternate type=application/json href=/wp-json>");
  const ParsedPage parsed = ParsePage(page);
  ASSERT_EQ(parsed.links.size(), 3u);
  EXPECT_EQ(parsed.links[0].kind, UrlKind::kFeed);
  EXPECT_EQ(parsed.links[1].kind, UrlKind::kFeed);
  EXPECT_EQ(parsed.links[2].kind, UrlKind::kPage) << "that type is no feed's alone";
  EXPECT_EQ(Targets(ParsePage(page, {.feeds = false}), true), (std::vector<std::string>{"com,example,www)/wp-json"}));
}

TEST(PageParser, TextHasNoLinks) {
  const ParsedPage parsed = ParsePage(Page("one two three https://www.example.com/a", "text/plain"));
  EXPECT_FALSE(parsed.row.failed);
  EXPECT_EQ(parsed.row.text, "one two three https://www.example.com/a");
  EXPECT_TRUE(parsed.links.empty());
  EXPECT_TRUE(ParsePage(Page(std::string("a\0b", 3), "text/plain")).row.failed);
}

TEST(PageParser, AShortTextHasNoFingerprint) {
  std::string words = "w1";
  for (int i = 2; i < 20; ++i) words += " w" + std::to_string(i);
  EXPECT_FALSE(ParsePage(Page("<p>" + words)).row.has_simhash) << "19 words";
  EXPECT_EQ(ParsePage(Page("<p>" + words)).row.text_sketch, "");
  EXPECT_TRUE(ParsePage(Page("<p>" + words), {.least_tokens = 19}).row.has_simhash);
  EXPECT_TRUE(ParsePage(Page("<p>" + words + " w20")).row.has_simhash);
  EXPECT_EQ(ParsePage(Page("<p>" + words + " w20")).row.text_sketch, TextSketchOf(words + " w20").Bytes());
}

TEST(PageParser, MirrorsWithAbsoluteLinksHaveTheSameContent) {
  const auto digest = [](const std::string& url, const std::string& origin) {
    ContentRow page =
        Page("<title>t</title><base href=" + origin + "/d/><a href=x>a</a><a href=" + origin + "/y>b</a>");
    page.url = url;
    return ParsePage(page).row.content_digest;
  };
  const std::string one = digest("http://one.example/d/page", "http://one.example");
  EXPECT_EQ(digest("https://www.two.example:8443/d/page", "https://www.two.example:8443"), one);
  EXPECT_NE(digest("http://one.example/d/page", "http://two.example"), one);
}

TEST(PageParser, WhatCannotBeReadSaysWhy) {
  ContentRow content = Page("???");
  content.kept_codings = "lzma";
  const ParsedPage parsed = ParsePage(content);
  EXPECT_TRUE(parsed.row.failed);
  EXPECT_NE(parsed.row.reason.find("lzma"), std::string::npos);
}

TEST(PageParser, AnApplicationsShellNeedsABrowser) {
  const struct {
    const char* html;
    bool needs_js;
  } kPages[] = {
      {"<div id=root></div><script src=app.js></script>", true},
      {"<noscript>You need to enable JavaScript to run this app.</noscript><script src=a.js></script>", true},
      {"<p>A short page</p>", false},
      {"", false},
  };
  for (const auto& page : kPages) EXPECT_EQ(ParsePage(Page(page.html)).row.needs_js, page.needs_js) << page.html;
  const std::string text(300, 'x');
  EXPECT_FALSE(ParsePage(Page("<div id=root>" + text + "</div><script src=app.js></script>")).row.needs_js);
}

TEST(PageParser, RecrawledPagesGiveNoInlinks) {
  ContentRow content = Page("<a href=/a>A</a>");
  content.first_parse = false;
  const ParsedPage parsed = ParsePage(content);
  ASSERT_EQ(parsed.links.size(), 1u);
  EXPECT_TRUE(parsed.links[0].enters);
  EXPECT_FALSE(parsed.links[0].counts);
}

}  // namespace
}  // namespace trawl
