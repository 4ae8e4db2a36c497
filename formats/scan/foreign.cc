// Members of HtmlReader for SVG and MathML (HTML Standard 13.2.6.5).
#include <gumbo.h>

#include "formats/scan/reader.h"
#include "formats/text/ascii.h"

namespace trawl {
namespace {

// HTML elements that end the SVG and MathML around them.
bool EndsForeign(uint8_t tag) {
  switch (tag) {
    case GUMBO_TAG_B:
    case GUMBO_TAG_BIG:
    case GUMBO_TAG_BLOCKQUOTE:
    case GUMBO_TAG_BODY:
    case GUMBO_TAG_BR:
    case GUMBO_TAG_CENTER:
    case GUMBO_TAG_CODE:
    case GUMBO_TAG_DD:
    case GUMBO_TAG_DIV:
    case GUMBO_TAG_DL:
    case GUMBO_TAG_DT:
    case GUMBO_TAG_EM:
    case GUMBO_TAG_EMBED:
    case GUMBO_TAG_H1:
    case GUMBO_TAG_H2:
    case GUMBO_TAG_H3:
    case GUMBO_TAG_H4:
    case GUMBO_TAG_H5:
    case GUMBO_TAG_H6:
    case GUMBO_TAG_HEAD:
    case GUMBO_TAG_HR:
    case GUMBO_TAG_I:
    case GUMBO_TAG_IMG:
    case GUMBO_TAG_LI:
    case GUMBO_TAG_LISTING:
    case GUMBO_TAG_MENU:
    case GUMBO_TAG_META:
    case GUMBO_TAG_NOBR:
    case GUMBO_TAG_OL:
    case GUMBO_TAG_P:
    case GUMBO_TAG_PRE:
    case GUMBO_TAG_RUBY:
    case GUMBO_TAG_S:
    case GUMBO_TAG_SMALL:
    case GUMBO_TAG_SPAN:
    case GUMBO_TAG_STRONG:
    case GUMBO_TAG_STRIKE:
    case GUMBO_TAG_SUB:
    case GUMBO_TAG_SUP:
    case GUMBO_TAG_TABLE:
    case GUMBO_TAG_TT:
    case GUMBO_TAG_U:
    case GUMBO_TAG_UL:
    case GUMBO_TAG_VAR:
      return true;
    default:
      return false;
  }
}

// Attributes that gumbo renames, as far as somebody looks at the name.
struct Renamed {
  std::string_view written;
  std::string_view name;
};
constexpr Renamed kRenamed[] = {
    {"xlink:actuate", "actuate"}, {"xlink:href", "href"},   {"xlink:role", "role"}, {"xlink:show", "show"},
    {"xlink:title", "title"},     {"xlink:type", "type"},   {"xml:base", "base"},   {"xml:lang", "lang"},
    {"xml:space", "space"},       {"xmlns:xlink", "xlink"},
};

}  // namespace

bool HtmlReader::TakesHtmlRules() const {
  if (token_.kind == Kind::kEof || open_.empty()) return true;
  const OpenElement& top = open_.top();
  if (top.space == kHtmlSpace) return true;
  if (token_.kind != Kind::kStart) return false;
  if (top.IsIn(kMathPoint)) return token_.tag != GUMBO_TAG_MGLYPH && token_.tag != GUMBO_TAG_MALIGNMARK;
  if (top.space == kMathSpace && top.tag == GUMBO_TAG_ANNOTATION_XML && token_.tag == GUMBO_TAG_SVG) return true;
  return top.IsIn(kHtmlPoint);
}

void HtmlReader::Foreign() {
  if (token_.kind == Kind::kEnd) return ForeignEnd();
  if (!LeavesForeign()) return ForeignStart();
  do {
    Pop();
  } while (!is_wild() && open_.top().space != kHtmlSpace && !open_.top().IsIn(kHtmlPoint | kMathPoint));
  reprocess_ = true;
}

bool HtmlReader::LeavesForeign() const {
  if (token_.tag != GUMBO_TAG_FONT) return EndsForeign(token_.tag);
  return element_.Find("color") != nullptr || element_.Find("face") != nullptr || element_.Find("size") != nullptr;
}

void HtmlReader::AdjustAttributes() {
  for (HtmlAttribute& attribute : element_.attributes) {
    if (!attribute.name.starts_with('x')) continue;
    for (const Renamed& renamed : kRenamed) {
      if (attribute.name != renamed.written) continue;
      attribute.name = renamed.name;
      element_.names |= HtmlNameBit(renamed.name);
      break;
    }
  }
}

void HtmlReader::ForeignStart() {
  const HtmlSpace space = open_.top().space;
  uint32_t more_sets = 0;
  if (space == kMathSpace && token_.tag == GUMBO_TAG_ANNOTATION_XML) {
    const std::string_view encoding = element_.Get("encoding");
    if (EqualsIgnoringAsciiCase(encoding, "text/html") || EqualsIgnoringAsciiCase(encoding, "application/xhtml+xml")) {
      more_sets = kHtmlPoint;
    }
  }
  AdjustAttributes();
  InsertToken(space);
  if (is_wild()) return;
  open_.top().sets |= more_sets;
  if (token_.closes_itself) Pop();
}

void HtmlReader::ForeignEnd() {
  std::string_view name = NameAt(token_.at);
  // Here gumbo takes everything in an end tag for its name.
  if (html_[token_.at + 2 + name.size()] != '>') name = {};
  for (size_t i = open_.size(); --i > 0;) {
    if (open_[i].space == kHtmlSpace && !open_[i].is_gone) break;
    if (open_[i].is_gone || !EqualsIgnoringAsciiCase(NameAt(open_[i].tag_at), name)) continue;
    const uint32_t number = open_[i].number;
    bool is_last = false;
    while (!is_last && !is_wild()) {
      is_last = open_.top().number == number;
      Pop();
    }
    return;
  }
  HtmlRules();
}

}  // namespace trawl
