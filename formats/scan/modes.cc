// Members of HtmlReader for the modes before and after the body (HTML Standard 13.2.6.4.1 to 13.2.6.4.6, and from
// 13.2.6.4.17 on).
#include <gumbo.h>

#include "formats/scan/reader.h"

namespace trawl {

void HtmlReader::HtmlRules() {
  switch (mode_) {
    case HtmlMode::kInitial:
      mode_ = HtmlMode::kBeforeHtml;
      reprocess_ = true;
      return;
    case HtmlMode::kBeforeHtml:
      return BeforeHtml();
    case HtmlMode::kBeforeHead:
      return BeforeHead();
    case HtmlMode::kInHead:
      return InHead();
    case HtmlMode::kInHeadNoscript:
      return InHeadNoscript();
    case HtmlMode::kAfterHead:
      return AfterHead();
    case HtmlMode::kNone:
    case HtmlMode::kInBody:
      return InBody();
    case HtmlMode::kInTable:
      return InTable();
    case HtmlMode::kInCaption:
      return InCaption();
    case HtmlMode::kInColumnGroup:
      return InColumnGroup();
    case HtmlMode::kInTableBody:
      return InTableBody();
    case HtmlMode::kInRow:
      return InRow();
    case HtmlMode::kInCell:
      return InCell();
    case HtmlMode::kInSelect:
      return InSelect();
    case HtmlMode::kInSelectInTable:
      return InSelectInTable();
    case HtmlMode::kInTemplate:
      return InTemplateMode();
    case HtmlMode::kAfterBody:
    case HtmlMode::kAfterAfterBody:
      break;
  }
  if (IsStart(GUMBO_TAG_HTML)) return InBody();
  if (token_.kind == Kind::kEof) return;
  if (mode_ == HtmlMode::kAfterBody && IsEnd(GUMBO_TAG_HTML)) {
    mode_ = HtmlMode::kAfterAfterBody;
    return;
  }
  mode_ = HtmlMode::kInBody;
  reprocess_ = true;
}

void HtmlReader::BeforeHtml() {
  if (IsStart(GUMBO_TAG_HTML)) {
    InsertToken();
    mode_ = HtmlMode::kBeforeHead;
    return;
  }
  if (token_.kind == Kind::kEnd && token_.tag != GUMBO_TAG_HEAD && token_.tag != GUMBO_TAG_BODY &&
      token_.tag != GUMBO_TAG_HTML && token_.tag != GUMBO_TAG_BR) {
    return;
  }
  InsertImplied(GUMBO_TAG_HTML);
  mode_ = HtmlMode::kBeforeHead;
  reprocess_ = true;
}

void HtmlReader::BeforeHead() {
  if (IsStart(GUMBO_TAG_HEAD)) {
    InsertToken();
    has_head_ = true;
    mode_ = HtmlMode::kInHead;
    return;
  }
  // gumbo has no rule for a second <html> here: the tag begins the head.
  if (token_.kind == Kind::kEnd && token_.tag != GUMBO_TAG_HEAD && token_.tag != GUMBO_TAG_BODY &&
      token_.tag != GUMBO_TAG_HTML && token_.tag != GUMBO_TAG_BR) {
    return;
  }
  InsertImplied(GUMBO_TAG_HEAD);
  has_head_ = true;
  mode_ = HtmlMode::kInHead;
  reprocess_ = true;
}

void HtmlReader::InHead() {
  if (token_.kind == Kind::kStart) {
    switch (token_.tag) {
      case GUMBO_TAG_HTML:
        return InBody();
      case GUMBO_TAG_BASE:
      case GUMBO_TAG_BASEFONT:
      case GUMBO_TAG_BGSOUND:
      case GUMBO_TAG_MENUITEM:
      case GUMBO_TAG_LINK:
      case GUMBO_TAG_META:
        return InsertVoid();
      case GUMBO_TAG_TITLE:
      case GUMBO_TAG_NOFRAMES:
      case GUMBO_TAG_STYLE:
      case GUMBO_TAG_SCRIPT:
        InsertToken();
        if (!is_wild()) RawText(token_.tag, token_.tag == GUMBO_TAG_TITLE);
        return;
      case GUMBO_TAG_NOSCRIPT:
        InsertToken();
        mode_ = HtmlMode::kInHeadNoscript;
        return;
      case GUMBO_TAG_TEMPLATE:
        InsertToken();
        AddMarker();
        mode_ = HtmlMode::kInTemplate;
        template_modes_.push_back(HtmlMode::kInTemplate);
        return;
      case GUMBO_TAG_HEAD:
        return;
      default:
        break;
    }
  } else if (token_.kind == Kind::kEnd) {
    switch (token_.tag) {
      case GUMBO_TAG_HEAD:
        Pop();
        mode_ = HtmlMode::kAfterHead;
        return;
      case GUMBO_TAG_TEMPLATE:
        return EndTemplate();
      case GUMBO_TAG_BODY:
      case GUMBO_TAG_HTML:
      case GUMBO_TAG_BR:
        break;
      default:
        return;
    }
  }
  Pop();
  mode_ = HtmlMode::kAfterHead;
  reprocess_ = true;
}

void HtmlReader::EndTemplate() {
  if (!InTemplate()) return;
  while (!is_wild() && open_.top().IsIn(kThoroughlyImpliedEnd)) Pop();
  PopTo(GUMBO_TAG_TEMPLATE);
  ClearToMarker();
  if (!template_modes_.empty()) template_modes_.pop_back();
  ResetMode();
}

void HtmlReader::InHeadNoscript() {
  if (token_.kind == Kind::kStart) {
    switch (token_.tag) {
      case GUMBO_TAG_HTML:
        return InBody();
      case GUMBO_TAG_BASEFONT:
      case GUMBO_TAG_BGSOUND:
      case GUMBO_TAG_LINK:
      case GUMBO_TAG_META:
      case GUMBO_TAG_NOFRAMES:
      case GUMBO_TAG_STYLE:
        return InHead();
      case GUMBO_TAG_HEAD:
      case GUMBO_TAG_NOSCRIPT:
        return;
      default:
        break;
    }
  } else if (IsEnd(GUMBO_TAG_NOSCRIPT)) {
    Pop();
    mode_ = HtmlMode::kInHead;
    return;
  } else if (token_.kind == Kind::kEnd && token_.tag != GUMBO_TAG_BR) {
    return;
  }
  Pop();
  mode_ = HtmlMode::kInHead;
  reprocess_ = true;
}

void HtmlReader::AfterHead() {
  if (token_.kind == Kind::kStart) {
    switch (token_.tag) {
      case GUMBO_TAG_HTML:
        return InBody();
      case GUMBO_TAG_BODY:
        InsertToken();
        mode_ = HtmlMode::kInBody;
        return;
      case GUMBO_TAG_FRAMESET:
        return Wild(HtmlWild::kFrameset);
      case GUMBO_TAG_BASE:
      case GUMBO_TAG_BASEFONT:
      case GUMBO_TAG_BGSOUND:
      case GUMBO_TAG_LINK:
      case GUMBO_TAG_META:
      case GUMBO_TAG_NOFRAMES:
      case GUMBO_TAG_SCRIPT:
      case GUMBO_TAG_STYLE:
      case GUMBO_TAG_TEMPLATE:
      case GUMBO_TAG_TITLE: {
        // Opens the head once more. Since the head ended there was only white space, which means nothing there.
        Flush();
        const size_t head = open_.size();
        InsertImplied(GUMBO_TAG_HEAD);
        InHead();
        if (!is_wild()) TakeOut(head);
        return;
      }
      case GUMBO_TAG_HEAD:
        return;
      default:
        break;
    }
  } else if (IsEnd(GUMBO_TAG_TEMPLATE)) {
    return InHead();
  } else if (token_.kind == Kind::kEnd && token_.tag != GUMBO_TAG_BODY && token_.tag != GUMBO_TAG_HTML &&
             token_.tag != GUMBO_TAG_BR) {
    return;
  }
  InsertImplied(GUMBO_TAG_BODY);
  mode_ = HtmlMode::kInBody;
  reprocess_ = true;
}

}  // namespace trawl
