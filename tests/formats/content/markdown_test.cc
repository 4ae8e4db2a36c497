#include "formats/content/markdown.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/content/main_text.h"
#include "formats/html/html.h"

namespace trawl {
namespace {

std::string Resolved(std::string_view href) {
  if (href.find(':') != std::string_view::npos) return std::string(href);
  return "https://a.test" + std::string(href);
}

std::string Markdown(const std::string& html, const MarkdownOptions& options = {.resolve = Resolved}) {
  std::string written[2];
  for (const HtmlReading reader : {HtmlReading::kAuto, HtmlReading::kTree}) {
    HtmlOptions reading;
    reading.reader = reader;
    reading.log = true;
    written[static_cast<int>(reader)] = MarkdownOf(HtmlParser(reading).Parse(html).log, {}, options);
  }
  EXPECT_EQ(written[0], written[1]) << html;
  return written[0];
}

struct Case {
  const char* html;
  const char* markdown;
};
void Check(std::initializer_list<Case> cases) {
  for (const Case& c : cases) EXPECT_EQ(Markdown(c.html), c.markdown) << c.html;
}

TEST(Markdown, OfHeadingsAndParagraphs) {
  Check({
      {"", ""},
      {"<h1>A</h1><p>b  c\n d<h6>E</h6>", "# A\n\nb c d\n\n###### E"},
      {"<div>a<div>b</div>c</div>", "a\n\nb\n\nc"},
      {"<p>a<br>b<p>c<br><br>d", "a\\\nb\n\nc\n\nd"},
      {"<h2>a<br>b</h2>", "## a b"},
      {"a<hr>b", "a\n\n* * *\n\nb"},
      {"<p>seen<p hidden>not seen<button>Press</button>", "seen"},
  });
}

TEST(Markdown, EscapesWhatWouldBeMarkup) {
  Check({
      {"<p>*a* `b` [c] &lt;d&gt; ~~e~~ \\", "\\*a\\* \\`b\\` \\[c\\] \\<d\\> \\~\\~e\\~\\~ \\\\"},
      {"<p>snake_case _x_", "snake_case \\_x\\_"},
      {"<p># a<p>- b<p>+ c<p>1. d<p>2) e<p>=== f", "\\# a\n\n\\- b\n\n\\+ c\n\n1\\. d\n\n2\\) e\n\n\\=== f"},
      {"<p>1999 was<p>3.14 is", "1999 was\n\n3\\.14 is"},
      {"<p>&amp;amp; &amp; a&b", "\\&amp; & a&b"},
      {"<p>x!<a href=/u>y</a>", "x\\![y](https://a.test/u)"},
  });
}

TEST(Markdown, OfLinksAndImages) {
  Check({
      {"<p>a <a href=/u>b</a> c", "a [b](https://a.test/u) c"},
      {"<a href=/u> b </a>", "[b](https://a.test/u)"},
      {"<a href=/u></a>", ""},
      {"<a name=x>b</a>", "b"},
      {"<a href=/u><h3>T</h3><p>x</a>", "### [T](https://a.test/u)\n\n[x](https://a.test/u)"},
      {"<a href='/a(b)'>x</a>", "[x](<https://a.test/a(b)>)"},
      {"<img src=/i alt='An [i]'>", "![An \\[i\\]](https://a.test/i)"},
      {"<a href=/u><img src=/i alt=b></a>", "[![b](https://a.test/i)](https://a.test/u)"},
      {"x<img src='data:image/png;base64,AAAA'><img alt=none>", "x"},
      {"<img src='data:x' data-src=/real alt=r>", "![r](https://a.test/real)"},
      {"a<a href=/u>b</a>c", "a[b](https://a.test/u)c"},
  });
}

TEST(Markdown, OfListsAndQuotations) {
  Check({
      {"<ul><li>a<li>b</ul>", "- a\n- b"},
      {"<ol start=3><li>a<li>b</ol>", "3. a\n4. b"},
      {"<ul><li>a<ul><li>b<li>c</ul><li>d</ul>", "- a\n  - b\n  - c\n- d"},
      {"<ul><li><p>a<p>b</ul>c", "- a\n\n  b\n\nc"},
      {"<ul><li>a</ul><ol start=3><li>b</ol>", "- a\n\n3. b"},
      {"<p>x<ol><li>a<ol start=4><li>b</ol></ol>", "x\n\n1. a\n\n   4. b"},
      {"<blockquote><p>a<p>b</blockquote>c", "> a\n>\n> b\n\nc"},
      {"<blockquote>a<ul><li>b</ul></blockquote>", "> a\n>\n> - b"},
      {"<ul><li></ul>x", "x"},
  });
}

TEST(Markdown, OfCode) {
  Check({
      {"<p>a <code>b*c</code> d", "a `b*c` d"},
      {"<code>a`b</code>", "``a`b``"},
      {"<code>`</code>", "`` ` ``"},
      {"<pre>a\n  b  \n\nc</pre>", "```\na\n  b  \n\nc\n```"},
      {"<pre><code class='hljs language-c++'>x</code></pre>", "```c++\nx\n```"},
      {"<pre class='brush: js'>x</pre>", "```js\nx\n```"},
      {"<pre>```\nx</pre>", "````\n```\nx\n````"},
      {"<ul><li>a<pre>b\nc</pre></ul>", "- a\n\n  ```\n  b\n  c\n  ```"},
      {"<pre class='language-a`b'>x</pre>", "```\nx\n```"},
  });
}

TEST(Markdown, OfTables) {
  Check({
      {"<table><tr><th>A<th>B<tr><td>1<td>2</table>", "| A | B |\n| --- | --- |\n| 1 | 2 |"},
      {"<table><tr><th>A|B<th><code>c|d</code><tr><td>1</table>", "| A\\|B | `c\\|d` |\n| --- | --- |\n| 1 |  |"},
      {"<table><caption>C</caption><tr><td>1<td>2<tr><td>3<td>4</table>",
       "C\n\n|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"},
      {"<table><tr><th>A<th>B<tr><td><p>x<p>y<td>a<br>b</table>", "| A | B |\n| --- | --- |\n| x y | a b |"},
      {"<table><tr><th>A<th>B<tr><td><a href=/u>x</a><td></table>",
       "| A | B |\n| --- | --- |\n| [x](https://a.test/u) |  |"},
      // With spans, lists or one column: lines.
      {"<table><tr><th colspan=2>A<tr><td>1<td>2</table>", "A\n\n1\n\n2"},
      {"<table><tr><td rowspan=2>A<td>1<tr><td>2</table>", "A\n\n1\n\n2"},
      {"<table><tr><td>a<tr><td>b</table>", "a\n\nb"},
      {"<table><tr><td><ul><li>a</ul><td>b</table>", "- a\n\nb"},
      {"<table><tr><td><table><tr><th>A<th>B<tr><td>1<td>2</table><td>x</table>",
       "| A | B |\n| --- | --- |\n| 1 | 2 |\n\nx"},
  });
}

// Only what the main content takes is written.
TEST(Markdown, OfTheMainContent) {
  std::string prose;
  for (int i = 0; i < 20; ++i) prose += "The river rose, the bridge held, and nobody was hurt. ";
  HtmlOptions options;
  options.log = true;
  const HtmlPage page =
      HtmlParser(options).Parse("<nav><a href=/m>Menu</a></nav><article><h1>Flood</h1><p>" + prose +
                                "<div class=share>Share it</div><p>" + prose + "</article><footer>Imprint</footer>");
  const MainContent main = MainContentOf(page.outline, page.text);
  ASSERT_EQ(main.from, MainFrom::kArticle);
  const std::string markdown = MarkdownOf(page.log, main.takes, {.resolve = Resolved});
  EXPECT_TRUE(markdown.starts_with("# Flood\n\nThe river")) << markdown;
  for (const char* other : {"Menu", "Share it", "Imprint"}) EXPECT_EQ(markdown.find(other), std::string::npos) << other;
}

// However deep lists are, and however long a page is, its Markdown has a limit.
TEST(Markdown, OfPagesMadeToBeLarge) {
  const auto repeated = [](const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
  };
  for (const std::string& html :
       {repeated("<ul><li>x<br>y", 240), repeated("<blockquote>x", 240), repeated("<table><tr><td>x<td>y", 100),
        repeated("<table><tr><th>x<th>y</table>", 20'000), "<pre>" + repeated("`", 100'000),
        repeated("<code>", 200) + "x", repeated("<p>x<br>", 20'000), repeated("<a href=/u>x", 20'000)}) {
    const std::string markdown = Markdown(html, {.resolve = Resolved, .max_bytes = 100'000});
    EXPECT_LE(markdown.size(), 100'000u);
  }
  HtmlOptions options;
  options.log = true;
  options.max_text_bytes = 100;
  const HtmlPage page = HtmlParser(options).Parse("<p>" + repeated("word ", 1000) + "<p>end");
  EXPECT_LE(MarkdownOf(page.log, {}, {.resolve = Resolved}).size(), 200u);
}

}  // namespace
}  // namespace trawl
