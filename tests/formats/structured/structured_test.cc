// Items and statements of whole pages, by syntax; both readers of a page give the same.
#include "formats/structured/structured.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "formats/html/html.h"
#include "formats/html/urls.h"
#include "tests/support/html/difference.h"

namespace trawl {
namespace {

constexpr char kPageUrl[] = "https://shop.example/a/page";
constexpr int64_t kFetchedMs = 1'767'268'800'000;  // 2026-01-01T12:00:00Z

StructuredPage PageOf(const std::string& html, const std::string& url = kPageUrl) {
  HtmlWild wild;
  EXPECT_EQ(DifferenceBetweenReaders(html, {}, &wild), "") << html.substr(0, 2000);
  const HtmlPage page = HtmlParser().Parse(html);
  const BaseUrl base = BaseOfPage(page, url, "UTF-8").ValueOrDie();
  return ReadStructured(page.structured, {&base, url, kFetchedMs});
}

// "syntax json", a line for each item.
std::vector<std::string> Items(const std::string& html) {
  std::vector<std::string> lines;
  for (const PageItem& item : PageOf(html).items) {
    lines.push_back(std::string(ItemSyntaxName(item.syntax)) + " " +
                    (item.problem.empty() ? item.json : "(" + item.problem + ")"));
  }
  return lines;
}

std::string JsonLd(const std::string& json) { return "<script type='application/ld+json'>" + json + "</script>"; }

using Lines = std::vector<std::string>;

TEST(Structured, JsonLdIsFlattenedAndItsPrefixesAreCut) {
  EXPECT_EQ(
      Items(
          JsonLd(R"({"@context":"https://schema.org/","@type":"http://schema.org/Product","http://schema.org/name":"n",
      "offers":{"@type":["schema:Offer"],"price":12.50,"availability":"https://schema.org/InStock"},
      "url":"https://schema.org/Thing","@id":"#p"})")),
      Lines({R"(jsonld {"@id":"#p","@type":"Product","name":"n","offers":{"@type":["Offer"],"availability":"InStock",)"
             R"("price":12.50},"url":"https://schema.org/Thing"})"}));
  EXPECT_EQ(
      Items(JsonLd(
          R"({"@context":"https://schema.org","@id":"x","@graph":[{"@type":"B","p":{"@id":"#a"}},{"@id":"#a"}]})")),
      Lines({R"(jsonld {"@type":"B","p":{"@id":"#a"}})", R"(jsonld {"@id":"#a"})"}));
  EXPECT_EQ(Items(JsonLd(R"([{"@type":"A"},[{"@type":"B"}],7,{"@graph":{"@type":"D"},"@type":"C"}])")),
            Lines({R"(jsonld {"@type":"A"})", R"(jsonld {"@type":"B"})", R"(jsonld {"@type":"C"})",
                   R"(jsonld {"@type":"D"})"}));
  EXPECT_EQ(Items(JsonLd(
                R"({"@context":{"x":"http://x.test/"},"@graph":[{"x:a":1},{"@context":"http://schema.org","b":2}]})")),
            Lines({R"(jsonld {"@context":{"x":"http://x.test/"},"x:a":1})",
                   R"(jsonld {"@context":{"x":"http://x.test/"},"b":2})"}))
      << "another context stays with its items";
}

TEST(Structured, ABrokenBlockLosesNoOther) {
  const StructuredPage page = PageOf(JsonLd("{'a':1}") + JsonLd("{\"@type\":\"A\",}") +
                                     "<SCRIPT TYPE=' Application/LD+JSON; charset=utf-8 '>{\"@type\":\"B\"}</SCRIPT>" +
                                     JsonLd("[]") + "<script>{\"@type\":\"C\"}</script>");
  ASSERT_EQ(page.items.size(), 4u);
  EXPECT_EQ(page.items[0].problem, "a name in quotes is missing at byte 1");
  EXPECT_EQ(page.items[0].json, "");
  EXPECT_EQ(page.items[1].repaired, "commas");
  EXPECT_EQ(page.items[1].block, 1);
  EXPECT_EQ(page.items[1].type, "A");
  EXPECT_EQ(page.items[2].json, R"({"@type":"B"})");
  EXPECT_EQ(page.items[2].block, 2);
  EXPECT_EQ(page.items[3].problem, "no item in it");
}

TEST(Structured, AScriptWithMarkupInsideIsOneBlock) {
  EXPECT_EQ(Items(JsonLd("{\"@type\":\"A\",\"t\":\"<b>&amp;</b><!-- x --> <\\/script>\"}")),
            Lines({R"(jsonld {"@type":"A","t":"<b>&amp;</b><!-- x --> </script>"})"}));
}

TEST(Structured, MicrodataTakesTheValueThatEachElementHas) {
  EXPECT_EQ(
      Items("<base href='https://cdn.example/x/'><div itemscope itemtype='http://schema.org/Product "
            "https://schema.org/Thing' itemid='#p'>"
            "<meta itemprop=sku content=' 0815 '><a itemprop=url href='../p?a=1&amp;b'>text</a><img itemprop=image "
            "src=i.png>"
            "<link itemprop=availability href='http://schema.org/InStock'><object itemprop=o data=d></object>"
            "<data itemprop=d value=7>seven</data><meter itemprop=m value=.5>half</meter>"
            "<time itemprop=t datetime=2026-01-01>New Year</time><time itemprop=u>2025</time>"
            "<span itemprop=price content=12.50>$12</span><p itemprop=text> one <b>two</b>\n "
            "three<br>four<script>no</script></p>"
            "<i itemprop='http://schema.org/name alternateName name'>N</i><i itemprop=empty></i></div>"),
      Lines(
          {R"(microdata {"@id":"https://cdn.example/x/#p","@type":["Product","Thing"],"alternateName":"N","availability":"InStock",)"
           R"("d":"7","empty":"","image":"https://cdn.example/x/i.png","m":".5","name":["N","N"],"o":"https://cdn.example/x/d",)"
           R"("price":"12.50","sku":"0815","t":"2026-01-01","text":"one two three four","u":"2025",)"
           R"("url":"https://cdn.example/p?a=1&b"})"}));
}

TEST(Structured, MicrodataItemsStandInOneAnother) {
  EXPECT_EQ(
      Items("<div itemscope itemtype=http://schema.org/A><p itemprop=x>1</p><div itemprop=b itemscope itemtype=B>"
            "<p itemprop=x>2</p><div itemscope itemtype=C><p itemprop=x>3</p></div></div><p itemprop=x>4</p></div>"
            "<p itemprop=x>5</p>"),
      Lines({R"(microdata {"@type":"A","b":{"@type":"B","x":"2"},"x":["1","4"]})",
             R"(microdata {"@type":"C","x":"3"})"}));
}

TEST(Structured, ItemrefNamesElementsElsewhere) {
  EXPECT_EQ(
      Items("<div id=before><b itemprop=p>0</b></div><div itemscope itemref='after before none after' itemtype=I><b "
            "itemprop=p>1</b></div>"
            "<div><section id=after>x<b itemprop=p>2</b><i itemprop=q itemscope><b itemprop=p>3</b></i></section></div>"
            "<div itemscope itemtype=J itemref=one></div><b id=one itemprop=r>4</b>"),
      Lines({R"(microdata {"@type":"I","p":["0","1","2"],"q":{"p":"3"}})", R"(microdata {"@type":"J","r":"4"})"}))
      << "in the order of the page";
}

TEST(Structured, CyclesOfItemrefAreCut) {
  EXPECT_EQ(Items("<div itemscope itemtype=A itemref=b></div><div id=b><i itemprop=p itemscope itemtype=B "
                  "itemref=b></i></div>"),
            Lines({R"(microdata {"@type":"A","p":{"@type":"B"}})"}));
  EXPECT_EQ(
      Items("<div itemscope itemtype=A itemref=x></div>"
            "<i id=x itemprop=p itemscope itemtype=X itemid=urn:x itemref=y></i>"
            "<i id=y itemprop=q itemscope itemtype=Y itemref=x></i>"),
      Lines({R"(microdata {"@type":"A","p":{"@id":"urn:x","@type":"X","q":{"@type":"Y","p":{"@id":"urn:x"}}}})"}));
  EXPECT_EQ(Items("<div itemscope itemtype=A id=a itemref=a><b itemprop=p>1</b></div>"),
            Lines({R"(microdata {"@type":"A","p":"1"})"}));
}

TEST(Structured, RdfaLite) {
  EXPECT_EQ(
      Items("<div vocab='https://schema.org/' typeof=Person resource=#me><span property=name>A <b>B</b></span>"
            "<a property=url href=/home>h</a><img property=image src=i.png><time property=birthDate "
            "datetime=1990-01-02>x</time>"
            "<span property='jobTitle role' content='boss'>B</span><div property=address typeof=PostalAddress>"
            "<span property=streetAddress>s</span></div><div typeof=Place><i property=name>P</i></div></div>"
            "<p property=name>nobody's</p>"),
      Lines(
          {R"(rdfa {"@id":"https://shop.example/a/page#me","@type":"Person","address":{"@type":"PostalAddress",)"
           R"("streetAddress":"s"},"birthDate":"1990-01-02","image":"https://shop.example/a/i.png","jobTitle":"boss",)"
           R"("name":"A B","role":"boss","url":"https://shop.example/home"})",
           R"(rdfa {"@type":"Place","name":"P"})"}));
  EXPECT_EQ(
      Items("<div prefix='s: http://schema.org/ foaf: http://f.test/' typeof='s:Person foaf:Person'><i "
            "property=s:name>n</i>"
            "<i property=foaf:nick>k</i><i property=schema:email>e</i></div>"
            "<div vocab=http://v.test/ typeof=T><i property=p>1</i></div><div typeof=http://schema.org/Thing></div>"
            "<div vocab=http://schema.org/ resource=#r><i property=p>2</i></div>"),
      Lines({R"(rdfa {"@type":["Person","foaf:Person"],"email":"e","foaf:nick":"k","name":"n"})",
             R"(rdfa {"@type":"http://v.test/T","p":"1"})", R"(rdfa {"@type":"Thing"})",
             R"(rdfa {"@id":"https://shop.example/a/page#r","p":"2"})"}));
}

TEST(Structured, MetaVocabulariesAreOneItemEachWhereverTheyStand) {
  EXPECT_EQ(
      Items("<head><meta property=og:title content=' T &amp; U '><meta name=og:image content=1><meta property=OG:IMAGE "
            "content=2>"
            "<meta property='og:type' content=article><meta name=twitter:card content=summary><meta name=DC.Title "
            "content=D>"
            "<meta property='og:description twitter:description' content=both><meta name=viewport content=w>"
            "<meta property=og:empty content=' '></head><body><meta property=article:tag content=x>"),
      Lines(
          {R"(opengraph {"@type":"article","article:tag":"x","og:description":"both","og:image":["1","2"],"og:title":"T & U",)"
           R"("og:type":"article"})",
           R"(twitter {"@type":"summary","twitter:card":"summary","twitter:description":"both"})",
           R"(dublincore {"dc.title":"D"})"}));
  EXPECT_EQ(Items("<html vocab=http://schema.org/ typeof=WebPage><meta property=og:title content=T><meta property=name "
                  "content=N>"),
            Lines({R"(opengraph {"og:title":"T"})", R"(rdfa {"@type":"WebPage","name":"N"})"}))
      << "Open Graph is no part of an item of RDFa";
}

// The same facts in each syntax: the same types and, where a syntax can say so, the same values.
TEST(Structured, SyntaxesThatStateTheSameFactsGiveTheSameItem) {
  struct Same {
    const char* json_ld;
    const char* microdata;
    const char* rdfa;
  };
  const Same kSame[] = {
      {R"({"@context":"https://schema.org","@type":"Product","name":"Kettle","offers":{"@type":"Offer","price":"12.50",
           "priceCurrency":"EUR","availability":"https://schema.org/InStock"},"aggregateRating":{"@type":"AggregateRating","ratingValue":"4.4"}})",
       "<div itemscope itemtype=https://schema.org/Product><h1 itemprop=name>Kettle</h1><div itemprop=offers itemscope "
       "itemtype=https://schema.org/Offer>"
       "<span itemprop=price content=12.50>12,50</span><meta itemprop=priceCurrency content=EUR><link "
       "itemprop=availability href=https://schema.org/InStock>"
       "</div><p itemprop=aggregateRating itemscope itemtype=https://schema.org/AggregateRating><b "
       "itemprop=ratingValue>4.4</b></p></div>",
       "<div vocab=https://schema.org/ typeof=Product><h1 property=name>Kettle</h1><div property=offers typeof=Offer>"
       "<span property=price content=12.50>12,50</span><meta property=priceCurrency content=EUR><link "
       "property=availability href=https://schema.org/InStock>"
       "</div><p property=aggregateRating typeof=AggregateRating><b property=ratingValue>4.4</b></p></div>"},
      {R"({"@context":{"@vocab":"http://schema.org/"},"@type":["Event","MusicEvent"],"startDate":"2026-01-02","performer":[
           {"@type":"Person","name":"A"},{"@type":"Person","name":"B"}]})",
       "<div itemscope itemtype='http://schema.org/Event http://schema.org/MusicEvent'><time itemprop=startDate "
       "datetime=2026-01-02>soon</time>"
       "<i itemprop=performer itemscope itemtype=http://schema.org/Person><b itemprop=name>A</b></i>"
       "<i itemprop=performer itemscope itemtype=http://schema.org/Person><b itemprop=name>B</b></i></div>",
       "<div vocab=http://schema.org/ typeof='Event MusicEvent'><time property=startDate "
       "datetime=2026-01-02>soon</time>"
       "<i property=performer typeof=Person><b property=name>A</b></i><i property=performer typeof=Person><b "
       "property=name>B</b></i></div>"},
      {R"({"@context":"http://www.schema.org","@type":"Recipe","recipeIngredient":["salt","water"],"author":{"@type":"Person","name":"C"}})",
       "<main itemscope itemtype=http://www.schema.org/Recipe><li itemprop=recipeIngredient>salt<li "
       "itemprop=recipeIngredient> water</li>"
       "<p itemprop=author itemscope itemtype=http://schema.org/Person><span itemprop=name>C</span></p></main>",
       "<main vocab=http://www.schema.org typeof=Recipe><li property=recipeIngredient>salt<li "
       "property=recipeIngredient> water</li>"
       "<p property=author typeof=Person><span property=name>C</span></p></main>"},
  };
  for (const Same& same : kSame) {
    const std::vector<PageItem> items = PageOf(JsonLd(same.json_ld) + same.microdata + same.rdfa).items;
    ASSERT_EQ(items.size(), 3u) << same.json_ld;
    EXPECT_EQ(items[0].syntax, ItemSyntax::kJsonLd);
    EXPECT_EQ(items[1].syntax, ItemSyntax::kMicrodata);
    EXPECT_EQ(items[2].syntax, ItemSyntax::kRdfa);
    for (const PageItem& item : items) {
      EXPECT_EQ(item.type, items[0].type);
      EXPECT_EQ(item.json, items[0].json);
    }
  }
}

struct DateCase {
  const char* html;
  const char* from;
  int64_t published_ms;
};

constexpr int64_t Day(int64_t number) { return 1'735'689'600'000 + (number - 1) * 86'400'000; }  // of January 2025

TEST(Structured, TheDateComesFromTheFirstSourceThatHasOne) {
  const std::string kJson = JsonLd(R"({"@type":"NewsArticle","datePublished":"2025-01-01T00:00:00Z"})");
  const std::string kOpenGraph = "<meta property=article:published_time content=2025-01-02>";
  const std::string kItemprop =
      "<div itemscope itemtype=http://schema.org/BlogPosting><meta itemprop=datePublished content=2025-01-03></div>";
  const std::string kPage = JsonLd(R"({"@type":"WebPage","datePublished":"January 4, 2025"})");
  const std::string kMeta = "<meta name=parsely-pub-date content='Sun, 05 Jan 2025 00:00:00 GMT'>";
  const std::string kTime = "<article><time datetime=2025-01-06>x</time></article>";
  const std::string kUrl = "https://news.example/2025/01/07/title";
  const std::string all = kTime + kMeta + kPage + kItemprop + kOpenGraph + kJson;
  const std::pair<std::string, DateCase> kCases[] = {
      {all, {"", "jsonld", Day(1)}},
      {kTime + kMeta + kPage + kItemprop + kOpenGraph, {"", "opengraph", Day(2)}},
      {kTime + kMeta + kPage + kItemprop, {"", "microdata", Day(3)}},
      {kTime + kMeta + kPage, {"", "jsonld", Day(4)}},
      {kTime + kMeta, {"", "meta", Day(5)}},
      {kTime, {"", "time", Day(6)}},
      {"<p>", {"", "url", Day(7)}},
      {"<time>2025-01-08</time>", {"", "url", Day(7)}},
      {kTime + kTime, {"", "url", Day(7)}},
      {"<main><time>Jan 9, 2025</time></main>", {"", "time", Day(9)}},
      {"<p itemprop=datePublished>2025-01-10", {"", "microdata", Day(10)}},
      // A date after the fetch, before 1990 or of another kind of item leaves the choice to the next source.
      {JsonLd(R"({"@type":"Article","datePublished":"2026-01-01T12:00:01Z"})") + kMeta, {"", "meta", Day(5)}},
      {JsonLd(R"({"@type":"Article","datePublished":"1989-12-31"})") + kMeta, {"", "meta", Day(5)}},
      {JsonLd(R"({"@type":"Event","datePublished":"2025-01-01"})") + kMeta, {"", "meta", Day(5)}},
      {JsonLd(R"({"@type":"WebPage","mainEntity":[{"@type":"Article","datePublished":{"@value":"2025-01-01"}}]})") +
           kOpenGraph,
       {"", "jsonld", Day(1)}},
  };
  for (const auto& [html, expected] : kCases) {
    const PageStatements statements = PageOf(html, kUrl).statements;
    EXPECT_EQ(statements.published_from, expected.from) << html;
    EXPECT_EQ(statements.published_ms, expected.published_ms) << html;
  }
  EXPECT_EQ(PageOf("<p>").statements, PageStatements()) << "a page without anything states nothing";
}

TEST(Structured, StatementsOfAnArticle) {
  const PageStatements page =
      PageOf(
          JsonLd(
              R"({"@graph":[{"@type":"WebSite","name":"The Site"},{"@type":"NewsArticle","headline":" A\n B ","dateModified":
                "2025-01-02","author":[{"@id":"#p"},{"name":"Q"},"https://x.test/r","S"],"image":{"@id":"#i"}},
                {"@type":"Person","@id":"#p","name":"P"},{"@type":"ImageObject","@id":"#i","url":"/i.png"}]})") +
          "<meta property=og:type content=article><meta property=og:image content=o.png>")
          .statements;
  EXPECT_EQ(page.author, "P, Q, S");
  EXPECT_EQ(page.author_from, "jsonld");
  EXPECT_EQ(page.headline, "A B");
  EXPECT_EQ(page.image, "https://shop.example/i.png");
  EXPECT_EQ(page.image_from, "jsonld");
  EXPECT_EQ(page.modified_ms, Day(2));
  EXPECT_EQ(page.site_name, "The Site");
  EXPECT_EQ(page.schema_types, "ImageObject NewsArticle Person WebSite");
  EXPECT_EQ(page.og_type, "article");
}

TEST(Structured, StatementsOfAPageWithMetaElementsAlone) {
  const PageStatements page =
      PageOf(
          "<meta property=article:author content=https://facebook.test/x><meta name=author content='A. B.'>"
          "<meta property=og:title content=T><meta property=og:site_name content=S><meta name=twitter:image "
          "content=//cdn.test/i>"
          "<meta property=og:updated_time content=2025-01-02T10:00:00+01:00><meta name=dc.date content=2025-01-01>")
          .statements;
  EXPECT_EQ(page.author, "A. B.") << "the address of a profile is no name";
  EXPECT_EQ(page.author_from, "meta");
  EXPECT_EQ(page.headline, "T");
  EXPECT_EQ(page.site_name_from, "opengraph");
  EXPECT_EQ(page.image, "https://cdn.test/i");
  EXPECT_EQ(page.image_from, "twitter");
  EXPECT_EQ(page.modified_ms, Day(2) + 9 * 3'600'000);
  EXPECT_EQ(page.published_from, "meta");
}

std::string Repeated(std::string_view piece, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i) text += piece;
  return text;
}

StructuredPage Alone(const std::string& html) {
  const HtmlPage page = HtmlParser().Parse(html);
  return ReadStructured(page.structured, {nullptr, kPageUrl, kFetchedMs});
}
size_t BytesOf(const StructuredPage& page) {
  size_t bytes = 0;
  for (const PageItem& item : page.items) bytes += item.json.size() + item.type.size() + item.id.size();
  return bytes;
}

TEST(Structured, APageMayHaveAThousandItems) {
  const StructuredPage blocks = Alone(Repeated(JsonLd("{\"@type\":\"A\"}"), 1'200));
  EXPECT_EQ(blocks.items.size(), kMostPageItems + 1);
  EXPECT_EQ(blocks.items.back().problem, "more than 1,000 items: the rest was left out");
  const StructuredPage list = Alone(JsonLd("[" + Repeated("{\"@type\":\"A\"},", 3'000) + "{}]"));
  EXPECT_EQ(list.items.size(), kMostPageItems + 1);
  const StructuredPage microdata = Alone(Repeated("<p itemscope itemtype=A>", 1'001));
  EXPECT_EQ(microdata.items.size(), kMostPageItems + 1);
}

TEST(Structured, HostilePagesCostLittle) {
  // Depth, size and number.
  EXPECT_EQ(Alone(JsonLd(Repeated("[", 100'000))).items.at(0).problem, "more than 64 levels at byte 64");
  EXPECT_EQ(Alone(JsonLd("{\"a\":\"" + Repeated("x", 10 << 20) + "\"}")).items.at(0).problem, "larger than 1 MiB");
  const StructuredPage many = Alone("<div itemscope>" + Repeated("<b itemprop=p>x</b>", 100'000));
  EXPECT_EQ(many.items.back().problem, "more structured data than a page may have: the rest was left out");
  EXPECT_LE(BytesOf(many), kMostPageItemBytes);
  const StructuredPage ids =
      Alone(Repeated("<b id=x itemprop=p></b>", 100'000) + Repeated("<i id=y>", 400) + "<i itemscope itemref='x y'>");
  EXPECT_EQ(ids.items.back().problem, "more structured data than a page may have: the rest was left out");

  // Every item takes every property: 900 times 10,000.
  const StructuredPage fan = Alone("<div id=x>" + Repeated("<b itemprop=p>some text</b>", 10'000) + "</div>" +
                                   Repeated("<i itemscope itemref=x></i>", 900));
  EXPECT_LE(BytesOf(fan), kMostPageItemBytes);
  EXPECT_NE(fan.items.back().problem, "");

  // Items that hold two others each, thirty levels deep.
  std::string tree = "<i itemscope itemref='a0 b0'></i>";
  for (int i = 0; i < 30; ++i) {
    const std::string next = std::to_string(i + 1);
    for (const char* name : {"a", "b"}) {
      tree += std::string("<i id=") + name + std::to_string(i) + " itemprop=p itemscope itemref='a" + next + " b" +
              next + "'></i>";
    }
  }
  EXPECT_LE(BytesOf(Alone(tree)), kMostPageItemBytes);

  // Texts in one another.
  const std::string nested = "<div itemscope typeof=T>" + Repeated("<p><span itemprop=a property=b>", 100);
  EXPECT_LE(BytesOf(Alone(nested + Repeated("words ", 600'000))), kMostPageItemBytes);

  // A context for every node, and names that are repeated.
  const StructuredPage contexts = Alone(JsonLd("{\"@context\":{\"x\":\"" + Repeated("y", 500'000) + "\"},\"@graph\":[" +
                                               Repeated("{\"a\":1},", 50'000) + "{}]}"));
  EXPECT_LE(BytesOf(contexts), kMostPageItemBytes);
  const StructuredPage names =
      Alone("<div itemscope><b itemprop='" + Repeated("n ", 8'000) + "'>" + Repeated("w ", 100'000) + "</b></div>");
  EXPECT_LE(BytesOf(names), kMostPageItemBytes);
}

TEST(Structured, APageThatGumboCannotReadHasItsBlocksAndMetas) {
  const std::string deep =
      Repeated("<div itemscope>", 5'000) + JsonLd("{\"@type\":\"A\"}") + "<meta property=og:title content=T>";
  const HtmlPage page = HtmlParser().Parse(deep);
  ASSERT_NE(page.tree, HtmlTreeState::kComplete);
  const StructuredPage read = ReadStructured(page.structured, {nullptr, kPageUrl, kFetchedMs});
  ASSERT_EQ(read.items.size(), 2u);
  EXPECT_EQ(read.items[0].json, R"({"og:title":"T"})");
  EXPECT_EQ(read.items[1].json, R"({"@type":"A"})");
}

TEST(Structured, ASecondHtmlTagMayBringAnItem) {
  EXPECT_EQ(Items("<html><body><p itemprop=name>n<html itemscope itemtype=A>"),
            Lines({R"(microdata {"@type":"A","name":"n"})"}));
}

}  // namespace
}  // namespace trawl
