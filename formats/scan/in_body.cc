// Members of HtmlReader for start tags in the body (HTML Standard 13.2.6.4.7).
#include <gumbo.h>

#include "formats/scan/reader.h"

namespace trawl {

void HtmlReader::InBody() {
  switch (token_.kind) {
    case Kind::kStart:
      return InBodyStart();
    case Kind::kEnd:
      return InBodyEnd();
    case Kind::kEof:
      if (!template_modes_.empty()) InTemplateMode();
  }
}

void HtmlReader::InBodyStart() {
  switch (token_.tag) {
    case GUMBO_TAG_HTML:
      if (!InTemplate()) MergeInto(true);
      return;
    case GUMBO_TAG_BASE:
    case GUMBO_TAG_BASEFONT:
    case GUMBO_TAG_BGSOUND:
    case GUMBO_TAG_MENUITEM:
    case GUMBO_TAG_LINK:
    case GUMBO_TAG_META:
    case GUMBO_TAG_NOFRAMES:
    case GUMBO_TAG_SCRIPT:
    case GUMBO_TAG_STYLE:
    case GUMBO_TAG_TEMPLATE:
    case GUMBO_TAG_TITLE:
      return InHead();
    case GUMBO_TAG_BODY:
      if (!InTemplate()) MergeInto(false);
      return;
    case GUMBO_TAG_FRAMESET:
      return Wild(HtmlWild::kFrameset);
    case GUMBO_TAG_ADDRESS:
    case GUMBO_TAG_ARTICLE:
    case GUMBO_TAG_ASIDE:
    case GUMBO_TAG_BLOCKQUOTE:
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
    case GUMBO_TAG_MENU:
    case GUMBO_TAG_MAIN:
    case GUMBO_TAG_NAV:
    case GUMBO_TAG_OL:
    case GUMBO_TAG_P:
    case GUMBO_TAG_SECTION:
    case GUMBO_TAG_SUMMARY:
    case GUMBO_TAG_UL:
      CloseP();
      return InsertToken();
    case GUMBO_TAG_H1:
    case GUMBO_TAG_H2:
    case GUMBO_TAG_H3:
    case GUMBO_TAG_H4:
    case GUMBO_TAG_H5:
    case GUMBO_TAG_H6:
      CloseP();
      if (open_.top().IsIn(kHeading)) Pop();
      return InsertToken();
    case GUMBO_TAG_PRE:
    case GUMBO_TAG_LISTING:
      CloseP();
      InsertToken();
      ignore_linefeed_ = true;
      return;
    case GUMBO_TAG_FORM:
      return StartForm();
    case GUMBO_TAG_LI:
      return StartListItem(0, GUMBO_TAG_LI);
    case GUMBO_TAG_DD:
    case GUMBO_TAG_DT:
      return StartListItem(kDefinition, 0);
    case GUMBO_TAG_PLAINTEXT:
      return Wild(HtmlWild::kPlaintext);
    case GUMBO_TAG_BUTTON:
      if (open_.HasInScope(GUMBO_TAG_BUTTON, kEndsScope)) {
        CloseTo(GUMBO_TAG_BUTTON);
        reprocess_ = true;
        return;
      }
      Reconstruct();
      return InsertToken();
    case GUMBO_TAG_A:
      return StartAnchor();
    case GUMBO_TAG_B:
    case GUMBO_TAG_BIG:
    case GUMBO_TAG_CODE:
    case GUMBO_TAG_EM:
    case GUMBO_TAG_FONT:
    case GUMBO_TAG_I:
    case GUMBO_TAG_S:
    case GUMBO_TAG_SMALL:
    case GUMBO_TAG_STRIKE:
    case GUMBO_TAG_STRONG:
    case GUMBO_TAG_TT:
    case GUMBO_TAG_U:
      Reconstruct();
      InsertToken();
      return AddFormatting();
    case GUMBO_TAG_NOBR:
      return StartNobr();
    case GUMBO_TAG_APPLET:
    case GUMBO_TAG_MARQUEE:
    case GUMBO_TAG_OBJECT:
      Reconstruct();
      InsertToken();
      return AddMarker();
    case GUMBO_TAG_TABLE:
      return StartTable();
    case GUMBO_TAG_AREA:
    case GUMBO_TAG_BR:
    case GUMBO_TAG_EMBED:
    case GUMBO_TAG_IMG:
    case GUMBO_TAG_IMAGE:
    case GUMBO_TAG_KEYGEN:
    case GUMBO_TAG_WBR:
    case GUMBO_TAG_INPUT:
      Reconstruct();
      return InsertVoid();
    case GUMBO_TAG_PARAM:
    case GUMBO_TAG_SOURCE:
    case GUMBO_TAG_TRACK:
      return InsertVoid();
    case GUMBO_TAG_HR:
      CloseP();
      return InsertVoid();
    case GUMBO_TAG_ISINDEX:
      return Wild(HtmlWild::kIsindex);
    case GUMBO_TAG_XMP:
      CloseP();
      Reconstruct();
      [[fallthrough]];
    case GUMBO_TAG_TEXTAREA:
    case GUMBO_TAG_IFRAME:
    case GUMBO_TAG_NOEMBED:
      InsertToken();
      if (!is_wild()) RawText(token_.tag, token_.tag == GUMBO_TAG_TEXTAREA);
      return;
    case GUMBO_TAG_SELECT:
      Reconstruct();
      InsertToken();
      mode_ = mode_ == HtmlMode::kInTable || mode_ == HtmlMode::kInCaption || mode_ == HtmlMode::kInTableBody ||
                      mode_ == HtmlMode::kInRow || mode_ == HtmlMode::kInCell
                  ? HtmlMode::kInSelectInTable
                  : HtmlMode::kInSelect;
      return;
    case GUMBO_TAG_OPTION:
    case GUMBO_TAG_OPTGROUP:
      if (open_.top().Is(GUMBO_TAG_OPTION)) Pop();
      Reconstruct();
      return InsertToken();
    case GUMBO_TAG_RB:
    case GUMBO_TAG_RP:
    case GUMBO_TAG_RT:
    case GUMBO_TAG_RTC:
      return StartRuby();
    case GUMBO_TAG_MATH:
      return StartForeign(kMathSpace);
    case GUMBO_TAG_SVG:
      return StartForeign(kSvgSpace);
    case GUMBO_TAG_CAPTION:
    case GUMBO_TAG_COL:
    case GUMBO_TAG_COLGROUP:
    case GUMBO_TAG_FRAME:
    case GUMBO_TAG_HEAD:
    case GUMBO_TAG_TBODY:
    case GUMBO_TAG_TD:
    case GUMBO_TAG_TFOOT:
    case GUMBO_TAG_TH:
    case GUMBO_TAG_THEAD:
    case GUMBO_TAG_TR:
      return;
    default:
      Reconstruct();
      return InsertToken();
  }
}

void HtmlReader::StartTable() {
  if (quirks_ != Quirks::kYes && open_.HasInScope(GUMBO_TAG_P, kEndsButtonScope)) {
    if (quirks_ == Quirks::kDoubtful) return Wild(HtmlWild::kDoctype);
    CloseP();
  }
  InsertToken();
  mode_ = HtmlMode::kInTable;
}

// Starts <li>, or <dd> and <dt>: the new item ends the one before it.
void HtmlReader::StartListItem(uint32_t sets, int tag) {
  for (size_t i = open_.size(); i-- > 0;) {
    const OpenElement& element = open_[i];
    if (sets == 0 ? element.Is(tag) : element.IsIn(sets)) {
      CloseTo(element.tag);
      break;
    }
    if (element.IsIn(kSpecial) && !element.IsIn(kAddressDivP)) break;
  }
  CloseP();
  if (!is_wild()) InsertToken();
}

void HtmlReader::StartForm() {
  if (form_ != 0 && !InTemplate()) return;
  CloseP();
  InsertToken();
  if (!is_wild() && !InTemplate()) form_ = open_.top().number;
}

void HtmlReader::StartAnchor() {
  if (LastAnchor() != OpenElements::npos) {
    Adopt(GUMBO_TAG_A);
    if (is_wild()) return;
    if (const size_t entry = LastAnchor(); entry != OpenElements::npos) {
      const size_t element = open_.Find(formatting_[entry].number);
      formatting_.erase(formatting_.begin() + static_cast<ptrdiff_t>(entry));
      if (element != OpenElements::npos) TakeOut(element);
    }
  }
  Reconstruct();
  if (is_wild()) return;
  InsertToken();
  AddFormatting();
}

void HtmlReader::StartNobr() {
  Reconstruct();
  if (open_.HasInScope(GUMBO_TAG_NOBR, kEndsScope)) {
    Adopt(GUMBO_TAG_NOBR);
    Reconstruct();
  }
  if (is_wild()) return;
  InsertToken();
  AddFormatting();
}

void HtmlReader::StartRuby() {
  const bool keeps_rtc = token_.tag == GUMBO_TAG_RT || token_.tag == GUMBO_TAG_RP;
  if (open_.HasInScope(GUMBO_TAG_RUBY, kEndsScope)) ImpliedEnds(keeps_rtc ? GUMBO_TAG_RTC : GUMBO_TAG_LAST);
  InsertToken();
}

void HtmlReader::StartForeign(HtmlSpace space) {
  Reconstruct();
  work_.has_foreign = true;
  if (nothing_ends_at_ == token_.at) return Wild(HtmlWild::kForeign);
  AdjustAttributes();
  InsertToken(space);
  if (!is_wild() && token_.closes_itself) Pop();
}

}  // namespace trawl
