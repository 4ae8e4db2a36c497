// Members of HtmlReader for <select> and <template> (HTML Standard 13.2.6.4.16 to 13.2.6.4.18).
#include <gumbo.h>

#include "formats/scan/reader.h"

namespace trawl {

void HtmlReader::CloseSelect() {
  PopTo(GUMBO_TAG_SELECT);
  if (!open_.empty()) ResetMode();
}

void HtmlReader::InSelect() {
  const bool in_select = open_.HasSelectInSelectScope(GUMBO_TAG_SELECT);
  if (token_.kind == Kind::kEof) return InBody();
  if (token_.kind == Kind::kEnd) {
    switch (token_.tag) {
      case GUMBO_TAG_OPTGROUP:
        if (open_.top().Is(GUMBO_TAG_OPTION) && open_.BelowTop().Is(GUMBO_TAG_OPTGROUP)) Pop();
        if (open_.top().Is(GUMBO_TAG_OPTGROUP)) Pop();
        return;
      case GUMBO_TAG_OPTION:
        if (open_.top().Is(GUMBO_TAG_OPTION)) Pop();
        return;
      case GUMBO_TAG_SELECT:
        if (in_select) CloseSelect();
        return;
      case GUMBO_TAG_TEMPLATE:
        return InHead();
      default:
        return;
    }
  }
  switch (token_.tag) {
    case GUMBO_TAG_HTML:
      return InBody();
    case GUMBO_TAG_OPTION:
      if (open_.top().Is(GUMBO_TAG_OPTION)) Pop();
      return InsertToken();
    case GUMBO_TAG_OPTGROUP:
      if (open_.top().Is(GUMBO_TAG_OPTION)) Pop();
      if (open_.top().Is(GUMBO_TAG_OPTGROUP)) Pop();
      return InsertToken();
    case GUMBO_TAG_SELECT:
      if (in_select) CloseSelect();
      return;
    case GUMBO_TAG_INPUT:
    case GUMBO_TAG_KEYGEN:
    case GUMBO_TAG_TEXTAREA:
      if (!in_select) return;
      CloseSelect();
      reprocess_ = true;
      return;
    case GUMBO_TAG_SCRIPT:
    case GUMBO_TAG_TEMPLATE:
      return InHead();
    default:
      return;
  }
}

void HtmlReader::InSelectInTable() {
  switch (token_.tag) {
    case GUMBO_TAG_CAPTION:
    case GUMBO_TAG_TABLE:
    case GUMBO_TAG_TBODY:
    case GUMBO_TAG_TFOOT:
    case GUMBO_TAG_THEAD:
    case GUMBO_TAG_TR:
    case GUMBO_TAG_TD:
    case GUMBO_TAG_TH:
      if (token_.kind == Kind::kEof) break;
      if (token_.kind == Kind::kEnd && !open_.HasInScope(token_.tag, kEndsTableScope)) return;
      // gumbo pops elements until it meets the select. Without a select it would pop them all.
      if (open_.Count(GUMBO_TAG_SELECT) == 0) return Wild(HtmlWild::kAssertion);
      CloseSelect();
      reprocess_ = true;
      return;
    default:
      break;
  }
  InSelect();
}

void HtmlReader::SetTemplateMode(HtmlMode mode) {
  if (!template_modes_.empty()) template_modes_.pop_back();
  template_modes_.push_back(mode);
  mode_ = mode;
  reprocess_ = true;
}

void HtmlReader::InTemplateMode() {
  if (token_.kind == Kind::kEof) {
    if (!InTemplate()) return;
    PopTo(GUMBO_TAG_TEMPLATE);
    ClearToMarker();
    if (!template_modes_.empty()) template_modes_.pop_back();
    ResetMode();
    reprocess_ = true;
    return;
  }
  if (token_.kind == Kind::kEnd) {
    if (token_.tag == GUMBO_TAG_TEMPLATE) InHead();
    return;
  }
  switch (token_.tag) {
    case GUMBO_TAG_BASE:
    case GUMBO_TAG_BASEFONT:
    case GUMBO_TAG_BGSOUND:
    case GUMBO_TAG_LINK:
    case GUMBO_TAG_META:
    case GUMBO_TAG_NOFRAMES:
    case GUMBO_TAG_SCRIPT:
    case GUMBO_TAG_STYLE:
    case GUMBO_TAG_TEMPLATE:
    case GUMBO_TAG_TITLE:
      return InHead();
    case GUMBO_TAG_CAPTION:
    case GUMBO_TAG_COLGROUP:
    case GUMBO_TAG_TBODY:
    case GUMBO_TAG_TFOOT:
    case GUMBO_TAG_THEAD:
      return SetTemplateMode(HtmlMode::kInTable);
    case GUMBO_TAG_COL:
      return SetTemplateMode(HtmlMode::kInColumnGroup);
    case GUMBO_TAG_TR:
      return SetTemplateMode(HtmlMode::kInTableBody);
    case GUMBO_TAG_TD:
    case GUMBO_TAG_TH:
      return SetTemplateMode(HtmlMode::kInRow);
    default:
      return SetTemplateMode(HtmlMode::kInBody);
  }
}

}  // namespace trawl
