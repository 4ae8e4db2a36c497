// Main texts of pages made for the rule's traps; each page is read by both readers. tests/formats/scan compares the two
// on real pages, too.
#include "formats/content/main_text.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/html/html.h"
#include "tests/support/html/difference.h"

namespace trawl {
namespace {

MainContent MainOf(const std::string& html) {
  HtmlWild wild;
  EXPECT_EQ(DifferenceBetweenReaders(html, {}, &wild), "");
  const HtmlPage page = HtmlParser().Parse(html);
  return MainContentOf(page.outline, page.text);
}

std::string Prose(const std::string& name, int sentences) {
  std::string text;
  for (int i = 0; i < sentences; ++i) {
    text += (i == 0 ? "" : " ") + name + " says in sentence " + std::to_string(i) +
            " that the river rose, that the bridge held, and that nobody was hurt.";
  }
  return text;
}
std::string Paragraphs(const std::string& name, int count) {
  std::string html;
  for (int i = 0; i < count; ++i) html += "<p>" + Prose(name + std::to_string(i), 3) + "</p>\n";
  return html;
}
std::string Menu() {
  std::string html = "<ul>";
  for (int i = 0; i < 20; ++i)
    html += "<li><a href=/m" + std::to_string(i) + ">Menu entry " + std::to_string(i) + "</a></li>";
  return html + "</ul>";
}
std::string Page(const std::string& body) {
  return "<!DOCTYPE html><html><head><title>t</title></head><body>" + body + "</body></html>";
}

bool Has(const MainContent& main, const std::string& text) { return main.text.find(text) != std::string::npos; }

TEST(MainText, OfAnArticleIsWithoutWhatStandsAround) {
  const MainContent main = MainOf(
      Page("<header>Site name</header><nav>" + Menu() + "</nav><main><article><h1>Flood</h1>" + Paragraphs("Anna", 4) +
           "</article></main><aside>" + Prose("Aside", 2) + "</aside><footer>Imprint</footer>"));
  EXPECT_EQ(main.from, MainFrom::kArticle);
  EXPECT_TRUE(Has(main, "Flood\nAnna0 says")) << main.text;
  EXPECT_TRUE(Has(main, "Anna3 says"));
  for (const char* other : {"Site name", "Menu entry", "Aside", "Imprint"}) EXPECT_FALSE(Has(main, other)) << other;
}

TEST(MainText, IsFoundWithoutAnArticle) {
  const MainContent main = MainOf(Page("<div id=top>" + Menu() + "</div><div><div class=x>" + Paragraphs("Berta", 4) +
                                       "</div></div><div>" + Menu() + "</div>"));
  EXPECT_EQ(main.from, MainFrom::kDensity);
  EXPECT_TRUE(main.text.starts_with("Berta0 says"));
  EXPECT_FALSE(Has(main, "Menu entry"));
}

TEST(MainText, OfOldPagesIsInCellsWithLineBreaks) {
  std::string story;
  for (int i = 0; i < 5; ++i) story += Prose("Carl" + std::to_string(i), 2) + "<br><br>";
  const MainContent main =
      MainOf(Page("<table><tr><td>" + Menu() + "</td><td><font>" + story + "</font></td></tr></table>"));
  EXPECT_TRUE(Has(main, "Carl0 says")) << main.text;
  EXPECT_TRUE(Has(main, "Carl4 says"));
  EXPECT_FALSE(Has(main, "Menu entry"));
}

// A rule that drops class "widget" would leave nothing of such a page.
TEST(MainText, StaysWhereBuildersOfPagesCallEverythingAWidget) {
  std::string sections;
  for (int i = 0; i < 4; ++i) {
    sections +=
        "<section class='elementor-section'><div class='elementor-widget elementor-widget-text-editor'><div "
        "class='elementor-widget-container'><p>" +
        Prose("Dora" + std::to_string(i), 3) + "</p></div></div></section>";
  }
  const MainContent main = MainOf(Page("<div class='elementor-widget elementor-nav-menu'>" + Menu() +
                                       "</div><div class=elementor>" + sections + "</div>"));
  for (const char* name : {"Dora0", "Dora1", "Dora2", "Dora3"}) EXPECT_TRUE(Has(main, name)) << name;
  EXPECT_FALSE(Has(main, "Menu entry"));
}

// The word counts only on what holds less than 40 % of the text.
TEST(MainText, StaysWhereItsHolderHasAWordOfOthers) {
  const MainContent main =
      MainOf(Page("<div>" + Menu() + "</div><div class='sidebar-layout promo'>" + Paragraphs("Emil", 5) + "</div>"));
  EXPECT_TRUE(Has(main, "Emil0"));
  EXPECT_TRUE(Has(main, "Emil4"));
}

TEST(MainText, IsWithoutCommentsHoweverManyThereAre) {
  const MainContent main =
      MainOf(Page("<article><h1>Short</h1>" + Paragraphs("Frida", 2) + "<div id=comments class=comment-list>" +
                  Paragraphs("Reader", 20) + "</div></article>"));
  EXPECT_TRUE(Has(main, "Frida1"));
  EXPECT_FALSE(Has(main, "Reader"));
}

// Where nothing else is there, what has the word is the content: a page of a forum.
TEST(MainText, OfAPageOfCommentsAloneAreTheComments) {
  const MainContent main =
      MainOf(Page("<nav>" + Menu() + "</nav><div class=comments>" + Paragraphs("Gustav", 6) + "</div>"));
  EXPECT_TRUE(Has(main, "Gustav0"));
  EXPECT_TRUE(Has(main, "Gustav5"));
}

TEST(MainText, IsWithoutABannerForConsent) {
  for (const char* attributes :
       {"id=onetrust-banner-sdk", "class=cookie-notice", "class='gdprPopup'", "class='modal fade' role=dialog"}) {
    const MainContent main = MainOf(Page("<article>" + Paragraphs("Hanna", 1) + "</article><div " + attributes +
                                         "><p>" + Prose("We value your privacy, our partner", 12) + "</p></div>"));
    EXPECT_TRUE(Has(main, "Hanna0")) << attributes;
    EXPECT_FALSE(Has(main, "partner")) << attributes;
  }
}

TEST(MainText, IsWithoutWhatClassesCallRelated) {
  for (const char* name :
       {"related-posts", "relatedPosts", "share-bar", "newsletter-signup", "Breadcrumbs", "post-tags"}) {
    const MainContent main = MainOf(Page("<article>" + Paragraphs("Ida", 4) + "<div class=" + name + "><p>" +
                                         Prose("Other", 2) + "</p></div></article>"));
    EXPECT_TRUE(Has(main, "Ida3")) << name;
    EXPECT_FALSE(Has(main, "Other")) << name;
  }
  // Words that authors chose, and words that are taken back.
  for (const char* name :
       {"category-newsletter", "tag-social", "no-sidebar", "commentary", "relations", "admin", "shared"}) {
    const MainContent main = MainOf(Page("<article>" + Paragraphs("Ida", 4) + "<div class='" + name + "'><p>" +
                                         Prose("Other", 2) + "</p></div></article>"));
    EXPECT_TRUE(Has(main, "Other")) << name;
  }
}

TEST(MainText, OfACategoryPageIsNone) {
  std::string teasers, cards;
  for (int i = 0; i < 12; ++i) {
    const std::string link = "<a href=/n" + std::to_string(i) + ">";
    teasers += "<article><h2>" + link + "Headline number " + std::to_string(i) + "</a></h2><p>" + Prose("Teaser", 2) +
               "</p></article>";
    cards +=
        "<li>" + link + "<h3>Product " + std::to_string(i) + "</h3><p>" + Prose("Teaser", 1) + "</p></a> 12.50</li>";
  }
  for (const std::string& list : {teasers, cards, Menu()}) {
    const MainContent main = MainOf(Page("<nav>" + Menu() + "</nav><main><h1>Category</h1>" + list + "</main>"));
    EXPECT_EQ(main.from, MainFrom::kNone) << main.text;
    EXPECT_EQ(main.text, "");
    EXPECT_TRUE(main.takes.empty());
  }
}

TEST(MainText, OfAPageWithHardlyAnyTextIsNone) {
  for (const char* body : {"", "x", "<p>Two words</p>", "<div id=root></div><noscript>Needs JavaScript</noscript>",
                           "<form><input name=q><button>Search</button></form>"}) {
    EXPECT_EQ(MainOf(Page(body)).from, MainFrom::kNone) << body;
  }
}

TEST(MainText, OfAShortArticleIsFound) {
  const MainContent main = MainOf(Page("<nav>" + Menu() + "</nav><article><h1>Brief</h1><p>" + Prose("Jakob", 2) +
                                       "</p></article><footer>" + Menu() + "</footer>"));
  EXPECT_EQ(main.from, MainFrom::kArticle);
  EXPECT_TRUE(main.text.starts_with("Brief\nJakob says")) << main.text;
}

TEST(MainText, OfWritingWithoutSpacesIsFound) {
  std::string story;
  for (int i = 0; i < 4; ++i)
    story +=
        "<p>"
        "市は今日、新しい橋の計画を発表した。工事は来年の春に始まり、三年後に完成する予定である。住民は長い間、この橋を"
        "待っていた。</p>";
  const MainContent main =
      MainOf(Page("<ul><li><a href=/a>ニュース</a></li><li><a href=/b>天気</a></li></ul><div>" + story + "</div>"));
  EXPECT_EQ(main.from, MainFrom::kDensity);
  EXPECT_TRUE(main.text.starts_with("市は今日")) << main.text;
}

TEST(MainText, HasQuotedArticlesCodeAndTablesOfTheArticle) {
  const MainContent main =
      MainOf(Page("<article>" + Paragraphs("Klara", 2) + "<blockquote><article><p>" + Prose("Quoted", 2) +
                  "</p></article><footer>An author</footer></blockquote>"
                  "<figure class=highlight><pre>int main() {\n  return 0;\n}</pre></figure>"
                  "<figure><img src=/i alt=x><figcaption>A caption</figcaption></figure>"
                  "<figure><table><tr><th>Year<th>Height<tr><td>1999<td>12 m</table></figure>" +
                  Paragraphs("Ludwig", 2) + "</article>"));
  for (const char* part : {"Klara1", "Quoted", "An author", "return 0;", "Year Height", "1999 12 m", "Ludwig1"})
    EXPECT_TRUE(Has(main, part)) << part;
  EXPECT_FALSE(Has(main, "A caption"));
}

TEST(MainText, IsWithoutControlsAndListsOfLinks) {
  const MainContent main =
      MainOf(Page("<article>" + Paragraphs("Maria", 2) + "<button>Print it</button><select><option>One</select>" +
                  Menu() + Paragraphs("Nora", 2) + "</article>"));
  EXPECT_TRUE(Has(main, "Maria1"));
  EXPECT_TRUE(Has(main, "Nora1"));
  for (const char* other : {"Print it", "One", "Menu entry"}) EXPECT_FALSE(Has(main, other)) << other;
}

// What is taken is told by nodes, too.
TEST(MainText, SaysWhichNodesItTakes) {
  const HtmlPage page =
      HtmlParser().Parse(Page("<nav>" + Menu() + "</nav><article>" + Paragraphs("Otto", 3) + "</article>"));
  const MainContent main = MainContentOf(page.outline, page.text);
  ASSERT_EQ(main.takes.size(), page.outline.nodes().size());
  for (size_t i = 0; i < main.takes.size(); ++i) {
    const HtmlPart part = page.outline.nodes()[i].part;
    EXPECT_EQ(main.takes[i], part == HtmlPart::kArticle || part == HtmlPart::kParagraph) << i;
  }
  EXPECT_GT(main.link_density, 0.1);
  EXPECT_LT(main.link_density, 0.5);
}

// Pages that would cost square time if an element looked at all those around it or inside it.
TEST(MainText, OfPagesMadeToBeSlow) {
  const auto repeated = [](const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
  };
  const std::string prose = Prose("Paula", 3);
  const struct {
    std::string html;
    bool is_whole;
  } pages[] = {
      {repeated("<div>", 300) + prose, true},
      {repeated("<div>" + prose, 300), true},
      {repeated("<a href=x>" + prose, 2000), true},
      {repeated("<div class='" + repeated("comment share ", 60) + "'>" + prose + "</div>", 500), true},
      {"<div>" + repeated("<p>x</p>", 50'000) + "</div>", true},
      {"<div>" + repeated("<p>x</p>", 300'000) + "</div>", false},
      {repeated("<div>", 100'000) + prose, false},
      {repeated("<article><h2><a href=x>y</a></h2>" + prose + "</article>", 1000), true},
  };
  for (const auto& page : pages) {
    const HtmlPage parsed = HtmlParser().Parse(page.html);
    EXPECT_EQ(parsed.outline.is_whole(), page.is_whole) << page.html.substr(0, 60);
    const MainContent main = MainContentOf(parsed.outline, parsed.text);
    EXPECT_LE(main.text.size(), parsed.text.size());
  }
}

// Text beyond the limit is not there, and the outline ends where the text does.
TEST(MainText, OfATextThatWasCut) {
  HtmlOptions options;
  options.max_text_bytes = 1000;
  const HtmlPage page = HtmlParser(options).Parse(Page("<article>" + Paragraphs("Quirin", 20) + "</article>"));
  const MainContent main = MainContentOf(page.outline, page.text);
  EXPECT_EQ(main.from, MainFrom::kArticle);
  EXPECT_EQ(main.text, page.text);
}

TEST(MainText, IsNotLookedForWithoutAnOutline) {
  HtmlOptions options;
  options.outline = false;
  const HtmlPage page = HtmlParser(options).Parse(Page("<article>" + Paragraphs("Rosa", 4) + "</article>"));
  EXPECT_FALSE(page.outline.is_whole());
  EXPECT_EQ(MainContentOf(page.outline, page.text).from, MainFrom::kNone);
}

}  // namespace
}  // namespace trawl
