// Members of HtmlReader for tables (HTML Standard 13.2.6.4.9 to 13.2.6.4.15).
#include <gumbo.h>

#include "formats/scan/reader.h"
#include "formats/text/ascii.h"

namespace trawl {
namespace {

// <caption>, <col>, <colgroup> and groups of rows: these tags end a cell, a row and a caption.
bool IsTablePart(uint8_t tag) {
  switch (tag) {
    case GUMBO_TAG_CAPTION:
    case GUMBO_TAG_COL:
    case GUMBO_TAG_COLGROUP:
    case GUMBO_TAG_TBODY:
    case GUMBO_TAG_TFOOT:
    case GUMBO_TAG_THEAD:
      return true;
    default:
      return false;
  }
}

bool IsRowGroup(uint8_t tag) { return tag == GUMBO_TAG_TBODY || tag == GUMBO_TAG_TFOOT || tag == GUMBO_TAG_THEAD; }
bool IsCell(uint8_t tag) { return tag == GUMBO_TAG_TD || tag == GUMBO_TAG_TH; }
bool IsOuter(uint8_t tag) {
  return tag == GUMBO_TAG_BODY || tag == GUMBO_TAG_CAPTION || tag == GUMBO_TAG_COL || tag == GUMBO_TAG_COLGROUP ||
         tag == GUMBO_TAG_HTML;
}

}  // namespace

bool HtmlReader::CloseTable() {
  if (!open_.HasInScope(GUMBO_TAG_TABLE, kEndsTableScope)) return false;
  PopTo(GUMBO_TAG_TABLE);
  ResetMode();
  return true;
}

void HtmlReader::FosterInBody() {
  fosters_ = true;
  InBody();
  fosters_ = false;
}

void HtmlReader::InTable() {
  if (token_.kind == Kind::kEof) return InBody();
  if (token_.kind == Kind::kEnd) {
    if (token_.tag == GUMBO_TAG_TABLE) {
      CloseTable();
      return;
    }
    if (token_.tag == GUMBO_TAG_TEMPLATE) return InHead();
    if (IsOuter(token_.tag) || IsRowGroup(token_.tag) || IsCell(token_.tag) || token_.tag == GUMBO_TAG_TR) return;
    return FosterInBody();
  }
  switch (token_.tag) {
    case GUMBO_TAG_CAPTION:
      PopToSets(kEndsTableScope);
      AddMarker();
      InsertToken();
      mode_ = HtmlMode::kInCaption;
      return;
    case GUMBO_TAG_COLGROUP:
      PopToSets(kEndsTableScope);
      InsertToken();
      mode_ = HtmlMode::kInColumnGroup;
      return;
    case GUMBO_TAG_COL:
      PopToSets(kEndsTableScope);
      InsertImplied(GUMBO_TAG_COLGROUP);
      mode_ = HtmlMode::kInColumnGroup;
      reprocess_ = true;
      return;
    case GUMBO_TAG_TBODY:
    case GUMBO_TAG_TFOOT:
    case GUMBO_TAG_THEAD:
      PopToSets(kEndsTableScope);
      InsertToken();
      mode_ = HtmlMode::kInTableBody;
      return;
    case GUMBO_TAG_TD:
    case GUMBO_TAG_TH:
    case GUMBO_TAG_TR:
      PopToSets(kEndsTableScope);
      InsertImplied(GUMBO_TAG_TBODY);
      mode_ = HtmlMode::kInTableBody;
      reprocess_ = true;
      return;
    case GUMBO_TAG_TABLE:
      if (CloseTable()) reprocess_ = true;
      return;
    case GUMBO_TAG_STYLE:
    case GUMBO_TAG_SCRIPT:
    case GUMBO_TAG_TEMPLATE:
      return InHead();
    case GUMBO_TAG_INPUT:
      if (const std::string_view* type = element_.Find("type");
          type != nullptr && EqualsIgnoringAsciiCase(*type, "hidden")) {
        return InsertVoid();
      }
      break;
    case GUMBO_TAG_FORM:
      if (form_ != 0 || InTemplate()) return;
      InsertToken();
      if (is_wild()) return;
      form_ = open_.top().number;
      return Pop();
    default:
      break;
  }
  FosterInBody();
}

void HtmlReader::InTableBody() {
  if (IsStart(GUMBO_TAG_TR)) {
    PopToSets(kEndsTableBody);
    InsertToken();
    mode_ = HtmlMode::kInRow;
  } else if (token_.kind == Kind::kStart && IsCell(token_.tag)) {
    PopToSets(kEndsTableBody);
    InsertImplied(GUMBO_TAG_TR);
    mode_ = HtmlMode::kInRow;
    reprocess_ = true;
  } else if (token_.kind == Kind::kEnd && IsRowGroup(token_.tag)) {
    if (!open_.HasInScope(token_.tag, kEndsTableScope)) return;
    PopToSets(kEndsTableBody);
    Pop();
    mode_ = HtmlMode::kInTable;
  } else if ((token_.kind == Kind::kStart && IsTablePart(token_.tag)) || IsEnd(GUMBO_TAG_TABLE)) {
    if (!open_.HasInScope(GUMBO_TAG_TBODY, kEndsTableScope) && !open_.HasInScope(GUMBO_TAG_THEAD, kEndsTableScope) &&
        !open_.HasInScope(GUMBO_TAG_TFOOT, kEndsTableScope)) {
      return;
    }
    PopToSets(kEndsTableBody);
    Pop();
    mode_ = HtmlMode::kInTable;
    reprocess_ = true;
  } else if (token_.kind == Kind::kEnd && (IsOuter(token_.tag) || IsCell(token_.tag) || token_.tag == GUMBO_TAG_TR)) {
    return;
  } else {
    InTable();
  }
}

void HtmlReader::InRow() {
  if (token_.kind == Kind::kStart && IsCell(token_.tag)) {
    PopToSets(kEndsRow);
    InsertToken();
    mode_ = HtmlMode::kInCell;
    return AddMarker();
  }
  const bool ends_row = IsEnd(GUMBO_TAG_TR);
  const bool ends_group = token_.kind == Kind::kEnd && IsRowGroup(token_.tag);
  const bool ends_otherwise = IsEnd(GUMBO_TAG_TABLE) ||
                              (token_.kind == Kind::kStart && (IsTablePart(token_.tag) || token_.tag == GUMBO_TAG_TR));
  if (ends_row || ends_group || ends_otherwise) {
    if (!open_.HasInScope(GUMBO_TAG_TR, kEndsTableScope)) return;
    if (ends_group && !open_.HasInScope(token_.tag, kEndsTableScope)) return;
    PopToSets(kEndsRow);
    Pop();
    mode_ = HtmlMode::kInTableBody;
    reprocess_ = !ends_row;
    return;
  }
  if (token_.kind == Kind::kEnd && (IsOuter(token_.tag) || IsCell(token_.tag))) return;
  InTable();
}

void HtmlReader::CloseCell(int tag) {
  ImpliedEnds(GUMBO_TAG_LAST);
  PopTo(tag);
  ClearToMarker();
  mode_ = HtmlMode::kInRow;
}

void HtmlReader::CloseCurrentCell() {
  const bool in_td = open_.HasInScope(GUMBO_TAG_TD, kEndsTableScope);
  const bool in_th = open_.HasInScope(GUMBO_TAG_TH, kEndsTableScope);
  // gumbo assumes that the cell is one of the two.
  if (in_td == in_th) return Wild(HtmlWild::kAssertion);
  CloseCell(in_td ? GUMBO_TAG_TD : GUMBO_TAG_TH);
  reprocess_ = true;
}

void HtmlReader::InCell() {
  if (token_.kind == Kind::kEnd) {
    if (IsCell(token_.tag)) {
      if (open_.HasInScope(token_.tag, kEndsTableScope)) CloseCell(token_.tag);
      return;
    }
    if (IsOuter(token_.tag)) return;
    if (token_.tag == GUMBO_TAG_TABLE || token_.tag == GUMBO_TAG_TR || IsRowGroup(token_.tag)) {
      if (open_.HasInScope(token_.tag, kEndsTableScope)) CloseCurrentCell();
      return;
    }
  } else if (token_.kind == Kind::kStart &&
             (IsTablePart(token_.tag) || IsCell(token_.tag) || token_.tag == GUMBO_TAG_TR)) {
    if (open_.HasInScope(GUMBO_TAG_TD, kEndsTableScope) || open_.HasInScope(GUMBO_TAG_TH, kEndsTableScope)) {
      CloseCurrentCell();
    }
    return;
  }
  InBody();
}

void HtmlReader::InCaption() {
  if (IsEnd(GUMBO_TAG_CAPTION)) {
    if (!open_.HasInScope(GUMBO_TAG_CAPTION, kEndsTableScope)) return;
    ImpliedEnds(GUMBO_TAG_LAST);
    PopTo(GUMBO_TAG_CAPTION);
    ClearToMarker();
    mode_ = HtmlMode::kInTable;
  } else if ((token_.kind == Kind::kStart &&
              (IsTablePart(token_.tag) || IsCell(token_.tag) || token_.tag == GUMBO_TAG_TR)) ||
             IsEnd(GUMBO_TAG_TABLE)) {
    if (!open_.HasInScope(GUMBO_TAG_CAPTION, kEndsTableScope)) return;
    PopTo(GUMBO_TAG_CAPTION);
    ClearToMarker();
    mode_ = HtmlMode::kInTable;
    reprocess_ = true;
  } else if (token_.kind == Kind::kEnd &&
             (IsOuter(token_.tag) || IsRowGroup(token_.tag) || IsCell(token_.tag) || token_.tag == GUMBO_TAG_TR)) {
    return;
  } else {
    InBody();
  }
}

void HtmlReader::InColumnGroup() {
  if (IsStart(GUMBO_TAG_HTML) || token_.kind == Kind::kEof) return InBody();
  if (IsStart(GUMBO_TAG_COL)) return InsertVoid();
  if (IsEnd(GUMBO_TAG_COL)) return;
  if (IsStart(GUMBO_TAG_TEMPLATE) || IsEnd(GUMBO_TAG_TEMPLATE)) return InHead();
  if (!open_.top().Is(GUMBO_TAG_COLGROUP)) return;
  Pop();
  mode_ = HtmlMode::kInTable;
  reprocess_ = !IsEnd(GUMBO_TAG_COLGROUP);
}

}  // namespace trawl
