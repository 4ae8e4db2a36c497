#include "tests/support/web/hostile_pages.h"

namespace trawl {
namespace {

// Joins `make(0)` … `make(count - 1)`.
std::string Numbered(size_t count, const std::function<std::string(const std::string&)>& make) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += make(std::to_string(i));
  return text;
}

std::string ManyLinks() {
  return Numbered(300'000, [](const std::string& n) { return "<a href=\"/page/" + n + "\">link " + n + "</a>\n"; });
}

// Each paragraph opens all 400 elements again, so 85 KB make eight million nodes.
std::string FormattingThatMultiplies() {
  return "<p>" + Numbered(400, [](const std::string& n) { return "<b id=" + n + ">"; }) + Repeated("<p>x", 20'000);
}

std::string ManyAttributes(size_t count) {
  return "<div " + Numbered(count, [](const std::string& n) { return " a" + n; }) + ">x</div>";
}

}  // namespace

std::string Repeated(const std::string& text, size_t count) {
  std::string repeated;
  repeated.reserve(text.size() * count);
  for (size_t i = 0; i < count; ++i) repeated += text;
  return repeated;
}

std::vector<HostilePage> HostilePages() {
  const auto numbered_tags = [](const char* before, const char* after, size_t count) {
    return [=] { return Numbered(count, [&](const std::string& n) { return before + n + after; }); };
  };
  const auto repeated = [](const std::string& front, const std::string& text, size_t count,
                           const std::string& back = "") {
    return [=] { return front + Repeated(text, count) + back; };
  };
  return {
      {"300,000 nested div", repeated("", "<div>", 300'000)},
      {"300,000 links", ManyLinks},
      {"an attribute of 5 MB", [] { return "<p title=\"" + std::string(5'000'000, 'x') + "\">y</p>"; }},
      {"1 MB of NUL", [] { return std::string(1'000'000, '\0'); }},
      {"1 MB of NUL in a table", [] { return "<table>" + std::string(1'000'000, '\0'); }},
      {"100,000 unclosed a", repeated("", "<a href=x>", 100'000)},
      {"formatting that multiplies", FormattingThatMultiplies},
      {"a tag of 100,000 attributes", [] { return ManyAttributes(100'000); }},
      {"3,000 attributes, 30 times", [] { return Repeated(ManyAttributes(3'000), 30); }},
      {"300 attributes, 2,000 times", [] { return Repeated(ManyAttributes(300), 2'000); }},
      {"100 attributes, 5,000 times", [] { return Repeated(ManyAttributes(100), 5'000); }},
      {"html with ever new attributes", numbered_tags("<html a", ">", 100'000)},
      {"body with ever new attributes", numbered_tags("<p><body a", ">", 100'000)},
      {"formatting with ever new ids", numbered_tags("<b id=", ">x", 50'000)},
      {"formatting in blocks with ever new ids", numbered_tags("<div><b id=", ">x</div>", 30'000)},
      {"formatting with 60 attributes",
       [] {
         std::string tag = "<i";
         for (int i = 0; i < 60; ++i) tag += " a" + std::to_string(i);
         return Numbered(5'000, [&](const std::string& n) { return tag + " z=" + n + ">"; });
       }},
      {"font in font", repeated("", "<font color=red>x", 50'000)},
      {"nobr in nobr", repeated("", "<nobr>x", 100'000)},
      {"a around div", repeated("", "<a href=x><div>", 50'000)},
      {"b and div, closed crosswise", repeated("", "<b><div></b>", 80'000)},
      {"b, i and p, closed crosswise", repeated("", "<b><i><p></b></i>", 60'000)},
      {"ten open, closed crosswise", repeated(Repeated("<b><i><u><s><em>", 2), "<p></b></i></u>", 30'000)},
      {"text in deep formatting", [] { return Repeated("<div>", 500) + "<b>" + std::string(10'000'000, 'x'); }},
      {"words in deep formatting", [] { return Repeated("<span>", 500) + "<b>" + Repeated("word<br>", 500'000); }},
      {"paragraphs at depth 70", [] { return Repeated("<div>", 70) + Repeated("<p>x", 1'000'000); }},
      {"paragraphs at depth 500", [] { return Repeated("<div>", 500) + Repeated("<p>x", 300'000); }},
      {"end tags at depth 2,000", [] { return Repeated("<span>", 2'000) + Repeated("</x>", 300'000); }},
      {"end tags at depth 79", [] { return Repeated("<span>", 76) + Repeated("</x>", 2'500'000); }},
      {"end tags at depth 39", [] { return Repeated("<span>", 36) + Repeated("</x>", 2'500'000); }},
      {"text in formatting at depth 79", [] { return Repeated("<div>", 75) + "<b>" + std::string(10'000'000, 'x'); }},
      {"words in formatting at depth 79",
       [] { return Repeated("<div>", 75) + "<b>" + Repeated("xxxxxxxxx<!>", 800'000); }},
      {"ignored tags at depth 79", [] { return Repeated("<div>", 75) + "<b>" + Repeated("<tr>", 2'500'000); }},
      {"ignored ends at depth 79", [] { return Repeated("<div>", 75) + "<b>" + Repeated("</li>", 2'000'000); }},
      {"end tags behind self-closing tags", [] { return Repeated("<span/>", 76) + Repeated("</x>", 2'500'000); }},
      {"end tags behind an SVG style",
       [] { return "<svg><style>" + Repeated("<span>", 76) + Repeated("</x>", 2'500'000); }},
      {"end tags in SVG", [] { return "<svg>" + Repeated("<g>", 76) + Repeated("</x>", 2'500'000); }},
      {"end tags in SVG, quoted slashes",
       [] { return "<svg>" + Repeated("<g a='/>'>", 76) + Repeated("</x>", 2'500'000); }},
      {"end tags in a description", [] { return "<svg><desc>" + Repeated("<i/>", 76) + Repeated("</x>", 2'500'000); }},
      {"p ends at depth 79", [] { return Repeated("<span>", 76) + Repeated("</p>", 1'000'000); }},
      {"headings ends at depth 79", [] { return Repeated("<span>", 76) + Repeated("</h1>", 2'000'000); }},
      {"li at depth 79", [] { return Repeated("<span>", 76) + Repeated("<li>", 2'000'000); }},
      {"end tags of void elements in SVG", [] { return Repeated("<svg></td>", 116) + Repeated("</base>", 1'400'000); }},
      {"end tags of a and option behind spans",
       [] { return Repeated("<span>", 76) + Repeated("</a></option>", 800'000); }},
      {"end tags behind buttons in MathML",
       [] { return "<math>" + Repeated("<button>", 100) + Repeated("</rp></title>", 700'000); }},
      {"end tags behind a way out of SVG",
       [] { return "<svg><p>" + Repeated("<x/>", 76) + Repeated("</y>", 2'500'000); }},
      {"end tags behind a font out of SVG",
       [] { return "<svg><font\tsize>" + Repeated("<x/>", 76) + Repeated("</y>", 2'500'000); }},
      {"end tags behind values that end in a slash",
       [] { return Repeated("<math a=0/>", 76) + Repeated("</b>", 2'000'000); }},
      {"end tags in shallow MathML", [] { return Repeated("<isindex><math>", 18) + Repeated("</rt>x", 1'000'000); }},
      {"end tags behind rt", [] { return Repeated("<rt>", 76) + Repeated("</x>", 2'500'000); }},
      {"self-closing div", repeated("", "<div/>", 300'000)},
      {"html and body with many attributes",
       [] { return Repeated(ManyAttributes(1).replace(0, 4, "<body b=\"c\"d=e/f/g"), 100'000); }},
      {"end tags of no element", repeated("", "</x>", 1'000'000)},
      {"unclosed span", repeated("", "<span>x", 200'000)},
      {"unclosed p in button", repeated("", "<button><p>", 100'000)},
      {"nested tables", repeated("", "<table><tr><td>", 80'000)},
      {"nested tables without cells", repeated("", "<table>x", 200'000)},
      {"text before tables", repeated("<table>", "x<b>y</b>", 200'000)},
      {"cells without end", repeated("<table>", "<tr><td>x", 300'000)},
      {"formatting in table", repeated("<table><b>", "x<tr>", 100'000)},
      {"captions", repeated("<table>", "<caption>x", 100'000)},
      {"column groups", repeated("<table>", "<colgroup><col>", 200'000)},
      {"nested select", repeated("", "<select><option>x", 200'000)},
      {"options", repeated("<select>", "<optgroup><option>x", 200'000)},
      {"nested lists", repeated("", "<ul><li>", 100'000)},
      {"items", repeated("<ul>", "<li>x", 500'000)},
      {"terms", repeated("<dl>", "<dt><dd>x", 300'000)},
      {"nested templates", repeated("", "<template>", 100'000)},
      {"templates below spans", [] { return Repeated("<span>", 1'200) + Repeated("<template>", 1'200); }},
      {"svg in svg", repeated("", "<svg>", 200'000)},
      {"svg attributes", repeated("<svg>", "<g a b c d e f g h>", 300'000)},
      {"svg shapes",
       repeated("<svg viewBox=\"0 0 1 1\">", "<path d=\"M0 0\" fill=\"#fff\" stroke=\"#000\"/>", 200'000)},
      {"foreign and back", repeated("", "<svg><desc><p>", 60'000)},
      {"math and back", repeated("", "<math><mi><p>x</math>", 60'000)},
      {"headings in headings", repeated("", "<h1><h2>x", 150'000)},
      {"forms", repeated("", "<form><div>", 100'000)},
      {"framesets", repeated("", "<frameset><frame>", 200'000)},
      {"isindex", repeated("", "<isindex prompt=abcdefgh>", 50'000)},
      {"ruby", repeated("", "<ruby><rb>x<rt>y", 100'000)},
      {"objects", repeated("", "<object><b>", 100'000)},
      {"marquees and links", repeated("", "<a href=x><marquee>", 60'000)},
      {"an open comment", repeated("<!--", "-->--!<", 10, std::string(5'000'000, '-'))},
      {"comments", repeated("", "<!---->", 300'000)},
      {"bogus comments", repeated("", "<!x>", 500'000)},
      {"open tags", repeated("", "<a b='", 300'000)},
      {"less-than signs", repeated("", "<", 3'000'000)},
      {"ampersands", repeated("", "&", 3'000'000)},
      {"a reference without end", [] { return "&" + std::string(3'000'000, 'a'); }},
      {"references", repeated("", "&notinva;&amp", 300'000)},
      {"numbers", [] { return "&#" + std::string(3'000'000, '9'); }},
      {"an open script", repeated("<script>", "</scrip", 500'000)},
      {"scripts with comments", repeated("<script><!--", "<script>-->", 300'000)},
      {"an open title", repeated("<title>", "</titl", 500'000)},
      {"text areas", repeated("", "<textarea>x", 300'000)},
      {"plain text", repeated("<plaintext>", "</plaintext>", 300'000)},
      {"doctypes", repeated("", "<!DOCTYPE html>", 200'000)},
      {"CDATA", repeated("<svg>", "<![CDATA[x]]>", 300'000)},
      {"an open CDATA", repeated("<svg><![CDATA[", "]]", 1'000'000)},
      {"hidden elements", repeated("", "<p hidden style='display : none;;;'>x", 200'000)},
      {"a long style", [] { return "<p style=\"" + Repeated("a:b;", 1'000'000) + "\">x"; }},
      {"a long srcset", [] { return "<img srcset=\"" + Repeated("a 1x,", 500'000) + "\">"; }},
      {"a srcset of parentheses", [] { return "<img srcset=\"a " + std::string(3'000'000, '(') + "\">"; }},
      {"a long rel", [] { return "<link href=x rel=\"" + Repeated("next ", 500'000) + "\">"; }},
      {"robots words", [] { return "<meta name=robots content=\"" + Repeated("a,", 1'000'000) + "\">"; }},
      {"metas", repeated("", "<meta name=robots content='noindex, x: y'>", 100'000)},
      {"metas in the first kilobytes", repeated("<meta ", "a='", 400'000)},
      {"spaces", [] { return std::string(5'000'000, ' '); }},
      {"no-break spaces", repeated("", "\xC2\xA0", 2'000'000)},
      {"lines", repeated("<pre>", "\n", 3'000'000)},
      {"breaks", repeated("", "<br>", 1'000'000)},
      {"an assertion of the parser", [] { return std::string("<table><svg><desc><![CDATA[x]]> "); }},
      {"nobr across blocks", repeated("", "<b><nobr><r><d><r><ol></b><nobr>", 1'000)},
  };
}

}  // namespace trawl
