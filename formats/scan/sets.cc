#include "formats/scan/sets.h"

#include <gumbo.h>

#include <array>
#include <initializer_list>

namespace trawl {
namespace {

using Table = std::array<uint32_t, GUMBO_TAG_LAST + 1>;

constexpr void Add(Table* table, uint32_t set, std::initializer_list<GumboTag> tags) {
  for (const GumboTag tag : tags) (*table)[tag] |= set;
}

constexpr Table MakeTable() {
  Table table{};
  // <main> is left out: gumbo knows it as a block but not as special.
  Add(&table, kSpecial,
      {GUMBO_TAG_ADDRESS,    GUMBO_TAG_APPLET,   GUMBO_TAG_AREA,    GUMBO_TAG_ARTICLE,    GUMBO_TAG_ASIDE,
       GUMBO_TAG_BASE,       GUMBO_TAG_BASEFONT, GUMBO_TAG_BGSOUND, GUMBO_TAG_BLOCKQUOTE, GUMBO_TAG_BODY,
       GUMBO_TAG_BR,         GUMBO_TAG_BUTTON,   GUMBO_TAG_CAPTION, GUMBO_TAG_CENTER,     GUMBO_TAG_COL,
       GUMBO_TAG_COLGROUP,   GUMBO_TAG_MENUITEM, GUMBO_TAG_DD,      GUMBO_TAG_DETAILS,    GUMBO_TAG_DIR,
       GUMBO_TAG_DIV,        GUMBO_TAG_DL,       GUMBO_TAG_DT,      GUMBO_TAG_EMBED,      GUMBO_TAG_FIELDSET,
       GUMBO_TAG_FIGCAPTION, GUMBO_TAG_FIGURE,   GUMBO_TAG_FOOTER,  GUMBO_TAG_FORM,       GUMBO_TAG_FRAME,
       GUMBO_TAG_FRAMESET,   GUMBO_TAG_H1,       GUMBO_TAG_H2,      GUMBO_TAG_H3,         GUMBO_TAG_H4,
       GUMBO_TAG_H5,         GUMBO_TAG_H6,       GUMBO_TAG_HEAD,    GUMBO_TAG_HEADER,     GUMBO_TAG_HGROUP,
       GUMBO_TAG_HR,         GUMBO_TAG_HTML,     GUMBO_TAG_IFRAME,  GUMBO_TAG_IMG,        GUMBO_TAG_INPUT,
       GUMBO_TAG_ISINDEX,    GUMBO_TAG_LI,       GUMBO_TAG_LINK,    GUMBO_TAG_LISTING,    GUMBO_TAG_MARQUEE,
       GUMBO_TAG_MENU,       GUMBO_TAG_META,     GUMBO_TAG_NAV,     GUMBO_TAG_NOEMBED,    GUMBO_TAG_NOFRAMES,
       GUMBO_TAG_NOSCRIPT,   GUMBO_TAG_OBJECT,   GUMBO_TAG_OL,      GUMBO_TAG_P,          GUMBO_TAG_PARAM,
       GUMBO_TAG_PLAINTEXT,  GUMBO_TAG_PRE,      GUMBO_TAG_SCRIPT,  GUMBO_TAG_SECTION,    GUMBO_TAG_SELECT,
       GUMBO_TAG_STYLE,      GUMBO_TAG_SUMMARY,  GUMBO_TAG_TABLE,   GUMBO_TAG_TBODY,      GUMBO_TAG_TD,
       GUMBO_TAG_TEMPLATE,   GUMBO_TAG_TEXTAREA, GUMBO_TAG_TFOOT,   GUMBO_TAG_TH,         GUMBO_TAG_THEAD,
       GUMBO_TAG_TITLE,      GUMBO_TAG_TR,       GUMBO_TAG_UL,      GUMBO_TAG_WBR,        GUMBO_TAG_XMP});
  Add(&table, kEndsScope | kEndsListScope | kEndsButtonScope,
      {GUMBO_TAG_APPLET, GUMBO_TAG_CAPTION, GUMBO_TAG_HTML, GUMBO_TAG_TABLE, GUMBO_TAG_TD, GUMBO_TAG_TH,
       GUMBO_TAG_MARQUEE, GUMBO_TAG_OBJECT, GUMBO_TAG_TEMPLATE});
  Add(&table, kEndsListScope, {GUMBO_TAG_OL, GUMBO_TAG_UL});
  Add(&table, kEndsButtonScope, {GUMBO_TAG_BUTTON});
  Add(&table, kEndsTableScope, {GUMBO_TAG_HTML, GUMBO_TAG_TABLE, GUMBO_TAG_TEMPLATE});
  Add(&table, kImpliedEnd,
      {GUMBO_TAG_DD, GUMBO_TAG_DT, GUMBO_TAG_LI, GUMBO_TAG_OPTION, GUMBO_TAG_OPTGROUP, GUMBO_TAG_P, GUMBO_TAG_RP,
       GUMBO_TAG_RB, GUMBO_TAG_RT, GUMBO_TAG_RTC});
  Add(&table, kThoroughlyImpliedEnd,
      {GUMBO_TAG_CAPTION, GUMBO_TAG_COLGROUP, GUMBO_TAG_DD, GUMBO_TAG_DT, GUMBO_TAG_LI, GUMBO_TAG_OPTION,
       GUMBO_TAG_OPTGROUP, GUMBO_TAG_P, GUMBO_TAG_RP, GUMBO_TAG_RT, GUMBO_TAG_RTC, GUMBO_TAG_TBODY, GUMBO_TAG_TD,
       GUMBO_TAG_TFOOT, GUMBO_TAG_TH, GUMBO_TAG_HEAD, GUMBO_TAG_TR});
  Add(&table, kFosters, {GUMBO_TAG_TABLE, GUMBO_TAG_TBODY, GUMBO_TAG_TFOOT, GUMBO_TAG_THEAD, GUMBO_TAG_TR});
  Add(&table, kHeading, {GUMBO_TAG_H1, GUMBO_TAG_H2, GUMBO_TAG_H3, GUMBO_TAG_H4, GUMBO_TAG_H5, GUMBO_TAG_H6});
  Add(&table, kAddressDivP, {GUMBO_TAG_ADDRESS, GUMBO_TAG_DIV, GUMBO_TAG_P});
  Add(&table, kEndsRow, {GUMBO_TAG_HTML, GUMBO_TAG_TR, GUMBO_TAG_TEMPLATE});
  Add(&table, kEndsTableBody, {GUMBO_TAG_HTML, GUMBO_TAG_TBODY, GUMBO_TAG_TFOOT, GUMBO_TAG_THEAD, GUMBO_TAG_TEMPLATE});
  Add(&table, kOptions, {GUMBO_TAG_OPTGROUP, GUMBO_TAG_OPTION});
  Add(&table, kDefinition, {GUMBO_TAG_DD, GUMBO_TAG_DT});
  // The elements of DeepensNothing in markup/cost_names.h, and those that the look at the tags skips as text.
  Add(&table, kShallow,
      {GUMBO_TAG_AREA,   GUMBO_TAG_BASE,  GUMBO_TAG_BR,      GUMBO_TAG_COL,    GUMBO_TAG_EMBED,    GUMBO_TAG_HR,
       GUMBO_TAG_IMG,    GUMBO_TAG_IMAGE, GUMBO_TAG_INPUT,   GUMBO_TAG_LINK,   GUMBO_TAG_META,     GUMBO_TAG_PARAM,
       GUMBO_TAG_SOURCE, GUMBO_TAG_TRACK, GUMBO_TAG_WBR,     GUMBO_TAG_FRAME,  GUMBO_TAG_KEYGEN,   GUMBO_TAG_P,
       GUMBO_TAG_LI,     GUMBO_TAG_DD,    GUMBO_TAG_DT,      GUMBO_TAG_TR,     GUMBO_TAG_TD,       GUMBO_TAG_TH,
       GUMBO_TAG_TBODY,  GUMBO_TAG_THEAD, GUMBO_TAG_TFOOT,   GUMBO_TAG_OPTION, GUMBO_TAG_COLGROUP, GUMBO_TAG_HTML,
       GUMBO_TAG_HEAD,   GUMBO_TAG_BODY,  GUMBO_TAG_A,       GUMBO_TAG_NOBR,   GUMBO_TAG_BUTTON,   GUMBO_TAG_FORM,
       GUMBO_TAG_SCRIPT, GUMBO_TAG_STYLE, GUMBO_TAG_TEXTAREA});
  return table;
}

constexpr Table kTable = MakeTable();

constexpr uint32_t kForeignScope = kEndsScope | kEndsListScope | kEndsButtonScope;

uint32_t SetsOfSvg(uint8_t tag) {
  switch (tag) {
    case GUMBO_TAG_FOREIGNOBJECT:
    case GUMBO_TAG_DESC:
      return kSpecial | kForeignScope | kHtmlPoint;
    case GUMBO_TAG_TITLE:
      return kForeignScope | kHtmlPoint;
    default:
      return 0;
  }
}

uint32_t SetsOfMath(uint8_t tag) {
  switch (tag) {
    case GUMBO_TAG_MI:
    case GUMBO_TAG_MO:
    case GUMBO_TAG_MN:
    case GUMBO_TAG_MS:
    case GUMBO_TAG_MTEXT:
      return kSpecial | kForeignScope | kMathPoint;
    case GUMBO_TAG_ANNOTATION_XML:
      return kSpecial | kForeignScope;
    default:
      return 0;
  }
}

}  // namespace

uint32_t SetsOf(uint8_t tag, HtmlSpace space) {
  if (space == kHtmlSpace) return kTable[tag];
  return space == kSvgSpace ? SetsOfSvg(tag) : SetsOfMath(tag);
}

}  // namespace trawl
