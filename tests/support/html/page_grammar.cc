#include "tests/support/html/page_grammar.h"

#include "formats/text/utf8.h"

namespace trawl {
namespace {

constexpr std::string_view kFlow[] = {"div",     "p",    "span", "ul",      "ol",     "li",     "dl",     "dt",
                                      "dd",      "h1",   "h2",   "section", "main",   "form",   "button", "pre",
                                      "address", "nav",  "br",   "hr",      "img",    "center", "dialog", "fieldset",
                                      "article", "menu", "wbr",  "label",   "search", "figure", "listing"};
constexpr std::string_view kFormatting[] = {"a", "a", "b", "i", "font", "nobr", "em", "strong", "code", "u", "a", "b"};
constexpr std::string_view kTables[] = {"table", "tr",      "td",       "th",    "tbody", "thead",
                                        "tfoot", "caption", "colgroup", "col",   "input", "form",
                                        "table", "td",      "tr",       "style", "script"};
constexpr std::string_view kForeign[] = {"svg",
                                         "math",
                                         "g",
                                         "path",
                                         "foreignObject",
                                         "desc",
                                         "title",
                                         "mi",
                                         "mtext",
                                         "mglyph",
                                         "annotation-xml",
                                         "a",
                                         "image",
                                         "style",
                                         "malignmark",
                                         "script",
                                         "use",
                                         "font",
                                         "p",
                                         "metadata",
                                         "html",
                                         "body",
                                         "svg"};
constexpr std::string_view kForms[] = {"select", "option",   "optgroup", "input",  "textarea", "button",
                                       "keygen", "template", "select",   "option", "datalist", "form"};
constexpr std::string_view kHeads[] = {"html",  "head",   "body",     "base",     "link", "meta",    "title",
                                       "style", "script", "noscript", "template", "html", "noframes"};
constexpr std::string_view kRaw[] = {"script", "style",    "textarea", "title",   "xmp",
                                     "iframe", "noscript", "noembed",  "noframes"};
constexpr std::string_view kRare[] = {"frameset", "frame", "plaintext", "isindex", "applet",  "object", "marquee",
                                      "ruby",     "rt",    "rp",        "rb",      "rtc",     "video",  "audio",
                                      "source",   "track", "embed",     "param",   "area",    "image",  "menuitem",
                                      "x-foo",    "foo",   "bgsound",   "summary", "details", "hgroup", "canvas"};
constexpr std::string_view kAttributes[] = {"class=x",
                                            "itemscope",
                                            "itemscope itemprop=i",
                                            "itemprop=p",
                                            "itemtype=http://schema.org/A",
                                            "itemref='root x'",
                                            "typeof=T",
                                            "property=q",
                                            "vocab=http://schema.org/",
                                            "type=application/ld+json",
                                            "id=root",
                                            "hidden",
                                            "style='display:none'",
                                            "style=\"color:red\"",
                                            "href=/a",
                                            "href='/b?x=1&amp;copy=2&lt'",
                                            "href=\"/c&copy;&notit\"",
                                            "src=/i.png",
                                            "alt='text of it'",
                                            "rel=next",
                                            "rel='stylesheet'",
                                            "name=robots",
                                            "content='noindex'",
                                            "content=\"1; url=/next\"",
                                            "http-equiv=refresh",
                                            "name=description",
                                            "type=hidden",
                                            "type=image",
                                            "type=text/html",
                                            "open",
                                            "lang=de",
                                            "id=a",
                                            "xlink:href=/x",
                                            "encoding=text/html",
                                            "color=red",
                                            "srcset='/1 1x, /2 2x'",
                                            "HREF=/upper",
                                            "title='a  title'",
                                            "ng-app",
                                            "data-x",
                                            "class=x",
                                            "poster=/p",
                                            "data=/d",
                                            "hreflang=fr",
                                            "href",
                                            "href=",
                                            "=x",
                                            "a\"b",
                                            "x=y/",
                                            "rel=alternate",
                                            "rel=canonical",
                                            "name=tdm-reservation",
                                            "content=1"};
constexpr std::string_view kTexts[] = {
    "a",      "word ",  " ",        "\n",     "&amp;", "&nbsp;",     "&lt",       "two words", "&#65;", "&#x41",
    "&#0;",   "&#128;", "&notin;",  "&notit", "&copy", "\r\n",       "\t",        "\xC3\xA9",  "<",     "</",
    "</>",    "<!",     "<?x>",     "&",      "&#13;", "javascript", "&#10;",     "\xC2\xA0",  "]]>",   "&hearts;",
    "&lang;", "&ampx",  "&#xD800;", "\x01",   "<3",    "-->",        "a b c  d e"};
constexpr std::string_view kRareTexts[] = {"&zzz;",      "&notit;",      "&#999999999;", "&Aopf;",
                                           "&#x110000;", "\xEF\xBF\xBF", "\x7F"};
constexpr std::string_view kOdd[] = {"<!-- c -->",
                                     "<!---->",
                                     "<!-->",
                                     "<!--->",
                                     "<!-- <p> --!>",
                                     "<!doctype html>",
                                     "<![CDATA[x]]>",
                                     "<![CDATA[ <p> ]]>",
                                     "<!-- a - -- b -->",
                                     "</p>",
                                     "</br>",
                                     "</ x>",
                                     "<script><!-- <script> </script> --></script>",
                                     "<script><!--</script>",
                                     "<textarea>\n\nx</textarea>",
                                     "<pre>\nx\n y</pre>",
                                     "<!--",
                                     "<title>a &amp; b</title>",
                                     "<script>var a='<b>';</script>",
                                     "<style>a{}</style>",
                                     "<p/>",
                                     "<div/>",
                                     "<a/>"};

}  // namespace

PageGrammar::PageGrammar(std::string_view choices) : choices_(choices), state_(0x9E3779B97F4A7C15u) {
  for (const char c : choices) state_ = (state_ ^ static_cast<uint8_t>(c)) * 0x100000001B3u;
}

uint32_t PageGrammar::Choose(uint32_t of) {
  if (at_ < choices_.size()) return static_cast<uint8_t>(choices_[at_++]) % of;
  state_ ^= state_ << 13;
  state_ ^= state_ >> 7;
  state_ ^= state_ << 17;
  return static_cast<uint32_t>(state_ >> 33) % of;
}

std::string_view PageGrammar::TagName() {
  switch (Choose(16)) {
    case 0:
    case 1:
    case 2:
      return OneOf(kFormatting);
    case 3:
    case 4:
      return (kinds_ & 1) != 0 ? OneOf(kTables) : OneOf(kFlow);
    case 5:
      return (kinds_ & 2) != 0 ? OneOf(kForeign) : OneOf(kFlow);
    case 6:
      return (kinds_ & 4) != 0 ? OneOf(kForms) : OneOf(kFormatting);
    case 7:
      return (kinds_ & 8) != 0 ? OneOf(kHeads) : OneOf(kFlow);
    case 8:
      return (kinds_ & 16) != 0 ? OneOf(kRaw) : OneOf(kFlow);
    case 9:
      return (kinds_ & 32) != 0 ? OneOf(kRare) : OneOf(kFlow);
    default:
      return OneOf(kFlow);
  }
}

std::string PageGrammar::Attribute() {
  return Choose(20) == 0 ? " hidden hidden" : " " + std::string(OneOf(kAttributes));
}

void PageGrammar::StartTag(std::string_view name) {
  page_ += '<';
  page_ += name;
  for (uint32_t n = Choose(4); n > 1; --n) page_ += Attribute();
  page_ += Choose(12) == 0 ? "/>" : ">";
}

std::string PageGrammar::Text() {
  std::string text;
  for (uint32_t n = 1 + Choose(3); n > 0; --n) text += Choose(40) == 0 ? OneOf(kRareTexts) : OneOf(kTexts);
  return text;
}

// Writes like a person: most elements end.
void PageGrammar::Balanced(int depth) {
  const std::string_view name = TagName();
  StartTag(name);
  for (uint32_t n = Choose(4); n > 0; --n) {
    if (depth < 6 && Choose(2) == 0) {
      Balanced(depth + 1);
    } else {
      Piece();
    }
  }
  if (Choose(8) != 0) page_ += "</" + std::string(name) + (Choose(12) == 0 ? " >" : ">");
}

void PageGrammar::Piece() {
  switch (Choose(8)) {
    case 0:
      StartTag(TagName());
      return;
    case 1:
      page_ += "</" + std::string(TagName()) + (Choose(10) == 0 ? " x>" : ">");
      return;
    case 2:
      page_ += (kinds_ & 64) != 0 ? OneOf(kOdd) : OneOf(kTexts);
      return;
    default:
      page_ += (kinds_ & 128) != 0 ? Text() : "w ";
  }
}

void PageGrammar::Head() {
  constexpr std::string_view kDoctypes[] = {
      "<!DOCTYPE html>",
      "<!DOCTYPE html>",
      "",
      "<!doctype HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\" \"http://x/\">",
      "<!DOCTYPE html PUBLIC \"HTML\">",
      "<!DOCTYPE foo>"};
  page_ += OneOf(kDoctypes);
  if (Choose(3) == 0) return;
  StartTag("html");
  StartTag("head");
  for (uint32_t n = Choose(4); n > 0; --n) {
    const std::string_view name = OneOf(kHeads);
    StartTag(name);
    if (Choose(2) == 0) page_ += Text();
    if (Choose(6) != 0) page_ += "</" + std::string(name) + ">";
  }
  if (Choose(4) != 0) page_ += "</head>";
  if (Choose(3) != 0) page_ += Text();
  if (Choose(3) != 0) StartTag("body");
}

std::string PageGrammar::Page() {
  page_.clear();
  kinds_ = Choose(256);
  if (Choose(2) == 0) kinds_ &= Choose(256);
  Head();
  for (uint32_t n = 1 + Choose(24); n > 0; --n) {
    if (Choose(2) == 0) {
      Balanced(0);
    } else {
      Piece();
    }
  }
  if (Choose(6) == 0) page_ += "</body>" + Text() + "</html>" + Text();
  if (Choose(6) == 0) page_.resize(Choose(static_cast<uint32_t>(page_.size()) + 1));
  page_.resize(ValidUtf8Prefix(page_));
  return page_;
}

}  // namespace trawl
