// Members of HtmlReader for end tags in the body (HTML Standard 13.2.6.4.7).
#include <gumbo.h>

#include "formats/scan/reader.h"

namespace trawl {

void HtmlReader::InBodyEnd() {
  switch (token_.tag) {
    case GUMBO_TAG_TEMPLATE:
      return EndTemplate();
    case GUMBO_TAG_BODY:
    case GUMBO_TAG_HTML:
      if (!open_.HasInScope(GUMBO_TAG_BODY, kEndsScope)) return;
      mode_ = HtmlMode::kAfterBody;
      reprocess_ = token_.tag == GUMBO_TAG_HTML;
      return;
    case GUMBO_TAG_ADDRESS:
    case GUMBO_TAG_ARTICLE:
    case GUMBO_TAG_ASIDE:
    case GUMBO_TAG_BLOCKQUOTE:
    case GUMBO_TAG_BUTTON:
    case GUMBO_TAG_CENTER:
    case GUMBO_TAG_DETAILS:
    case GUMBO_TAG_DIR:
    case GUMBO_TAG_DIV:
    case GUMBO_TAG_DL:
    case GUMBO_TAG_FIELDSET:
    case GUMBO_TAG_FIGCAPTION:
    case GUMBO_TAG_FIGURE:
    case GUMBO_TAG_FOOTER:
    case GUMBO_TAG_HEADER:
    case GUMBO_TAG_HGROUP:
    case GUMBO_TAG_LISTING:
    case GUMBO_TAG_MAIN:
    case GUMBO_TAG_MENU:
    case GUMBO_TAG_NAV:
    case GUMBO_TAG_OL:
    case GUMBO_TAG_PRE:
    case GUMBO_TAG_SECTION:
    case GUMBO_TAG_SUMMARY:
    case GUMBO_TAG_UL:
    case GUMBO_TAG_DD:
    case GUMBO_TAG_DT:
      if (open_.HasInScope(token_.tag, kEndsScope)) CloseTo(token_.tag);
      return;
    case GUMBO_TAG_FORM:
      return EndForm();
    case GUMBO_TAG_P:
      if (open_.HasInScope(GUMBO_TAG_P, kEndsButtonScope)) return CloseTo(GUMBO_TAG_P);
      InsertImplied(GUMBO_TAG_P);
      reprocess_ = true;
      return;
    case GUMBO_TAG_LI:
      if (open_.HasInScope(GUMBO_TAG_LI, kEndsListScope)) CloseTo(GUMBO_TAG_LI);
      return;
    case GUMBO_TAG_H1:
    case GUMBO_TAG_H2:
    case GUMBO_TAG_H3:
    case GUMBO_TAG_H4:
    case GUMBO_TAG_H5:
    case GUMBO_TAG_H6:
      return EndHeading();
    case GUMBO_TAG_A:
    case GUMBO_TAG_B:
    case GUMBO_TAG_BIG:
    case GUMBO_TAG_CODE:
    case GUMBO_TAG_EM:
    case GUMBO_TAG_FONT:
    case GUMBO_TAG_I:
    case GUMBO_TAG_NOBR:
    case GUMBO_TAG_S:
    case GUMBO_TAG_SMALL:
    case GUMBO_TAG_STRIKE:
    case GUMBO_TAG_STRONG:
    case GUMBO_TAG_TT:
    case GUMBO_TAG_U:
      return Adopt(token_.tag);
    case GUMBO_TAG_APPLET:
    case GUMBO_TAG_MARQUEE:
    case GUMBO_TAG_OBJECT:
      if (!open_.HasInScope(token_.tag, kEndsTableScope)) return;
      CloseTo(token_.tag);
      return ClearToMarker();
    case GUMBO_TAG_BR:
      Reconstruct();
      InsertImplied(GUMBO_TAG_BR);
      return Pop();
    default:
      return EndOther();
  }
}

void HtmlReader::EndForm() {
  if (InTemplate()) {
    if (!open_.HasInScope(GUMBO_TAG_FORM, kEndsScope)) return;
    ImpliedEnds(GUMBO_TAG_LAST);
    if (open_.top().Is(GUMBO_TAG_FORM)) PopTo(GUMBO_TAG_FORM);
    return;
  }
  const uint32_t form = form_;
  form_ = 0;
  size_t index = form == 0 ? OpenElements::npos : open_.Find(form);
  if (index == OpenElements::npos) return;
  for (size_t i = open_.size(); --i > index;) {
    if (open_[i].IsIn(kEndsScope)) return;
  }
  ImpliedEnds(GUMBO_TAG_LAST);
  if (!is_wild()) TakeOut(open_.Find(form));
}

void HtmlReader::EndHeading() {
  if (!open_.HasSetInScope(kHeading, kEndsScope)) return;
  ImpliedEnds(GUMBO_TAG_LAST);
  bool is_heading = false;
  while (!is_heading && !is_wild()) {
    is_heading = open_.top().IsIn(kHeading);
    Pop();
  }
}

// gumbo treats all names that it does not know as one name.
void HtmlReader::EndOther() {
  for (size_t i = open_.size(); i-- > 0;) {
    if (open_[i].Is(token_.tag)) {
      const uint32_t number = open_[i].number;
      ImpliedEnds(token_.tag);
      bool is_last = false;
      while (!is_last && !is_wild()) {
        is_last = open_.top().number == number;
        Pop();
      }
      return;
    }
    if (open_[i].IsIn(kSpecial)) return;
  }
}

}  // namespace trawl
