#include "formats/markup/tags.h"

#include <gumbo.h>

#include <array>

#include "formats/markup/markup.h"

namespace trawl {
namespace {

using Traits = HtmlTagTraits;
using enum HtmlDisplay;
using enum HtmlContent;

constexpr GumboTag kBlocks[] = {
    GUMBO_TAG_ADDRESS, GUMBO_TAG_ARTICLE, GUMBO_TAG_ASIDE,   GUMBO_TAG_BLOCKQUOTE, GUMBO_TAG_BODY,
    GUMBO_TAG_CAPTION, GUMBO_TAG_CENTER,  GUMBO_TAG_DD,      GUMBO_TAG_DETAILS,    GUMBO_TAG_DIR,
    GUMBO_TAG_DIV,     GUMBO_TAG_DL,      GUMBO_TAG_DT,      GUMBO_TAG_FIELDSET,   GUMBO_TAG_FIGCAPTION,
    GUMBO_TAG_FIGURE,  GUMBO_TAG_FOOTER,  GUMBO_TAG_FORM,    GUMBO_TAG_FRAMESET,   GUMBO_TAG_H1,
    GUMBO_TAG_H2,      GUMBO_TAG_H3,      GUMBO_TAG_H4,      GUMBO_TAG_H5,         GUMBO_TAG_H6,
    GUMBO_TAG_HEADER,  GUMBO_TAG_HGROUP,  GUMBO_TAG_HTML,    GUMBO_TAG_LEGEND,     GUMBO_TAG_LI,
    GUMBO_TAG_MAIN,    GUMBO_TAG_MENU,    GUMBO_TAG_NAV,     GUMBO_TAG_OL,         GUMBO_TAG_OPTGROUP,
    GUMBO_TAG_OPTION,  GUMBO_TAG_P,       GUMBO_TAG_SECTION, GUMBO_TAG_SUMMARY,    GUMBO_TAG_TABLE,
    GUMBO_TAG_TBODY,   GUMBO_TAG_TFOOT,   GUMBO_TAG_THEAD,   GUMBO_TAG_TR,         GUMBO_TAG_UL,
};

// The style sheet of the HTML Standard (15.3.1) shows no element of this list. Nobody sees the fallback of video and
// audio.
constexpr GumboTag kHiddenTags[] = {GUMBO_TAG_DATALIST, GUMBO_TAG_HEAD, GUMBO_TAG_RP, GUMBO_TAG_ANNOTATION_XML,
                                    GUMBO_TAG_DESC};

constexpr GumboTag kVoids[] = {GUMBO_TAG_COL,      GUMBO_TAG_WBR,     GUMBO_TAG_PARAM,
                               GUMBO_TAG_BASEFONT, GUMBO_TAG_BGSOUND, GUMBO_TAG_KEYGEN};

struct PartOfTag {
  GumboTag tag;
  HtmlPart part;
};
constexpr PartOfTag kParts[] = {
    {GUMBO_TAG_ARTICLE, HtmlPart::kArticle},  {GUMBO_TAG_MAIN, HtmlPart::kMain},
    {GUMBO_TAG_NAV, HtmlPart::kNav},          {GUMBO_TAG_FOOTER, HtmlPart::kFooter},
    {GUMBO_TAG_HEADER, HtmlPart::kHeader},    {GUMBO_TAG_ASIDE, HtmlPart::kAside},
    {GUMBO_TAG_FIGURE, HtmlPart::kFigure},    {GUMBO_TAG_FIGCAPTION, HtmlPart::kCaption},
    {GUMBO_TAG_CAPTION, HtmlPart::kCaption},  {GUMBO_TAG_BUTTON, HtmlPart::kControl},
    {GUMBO_TAG_SELECT, HtmlPart::kControl},   {GUMBO_TAG_TEXTAREA, HtmlPart::kControl},
    {GUMBO_TAG_P, HtmlPart::kParagraph},      {GUMBO_TAG_H1, HtmlPart::kHeading1},
    {GUMBO_TAG_H2, HtmlPart::kHeading2},      {GUMBO_TAG_H3, HtmlPart::kHeading3},
    {GUMBO_TAG_H4, HtmlPart::kHeading4},      {GUMBO_TAG_H5, HtmlPart::kHeading5},
    {GUMBO_TAG_H6, HtmlPart::kHeading6},      {GUMBO_TAG_UL, HtmlPart::kList},
    {GUMBO_TAG_MENU, HtmlPart::kList},        {GUMBO_TAG_DIR, HtmlPart::kList},
    {GUMBO_TAG_OL, HtmlPart::kOrderedList},   {GUMBO_TAG_LI, HtmlPart::kItem},
    {GUMBO_TAG_DT, HtmlPart::kTerm},          {GUMBO_TAG_DD, HtmlPart::kDetail},
    {GUMBO_TAG_BLOCKQUOTE, HtmlPart::kQuote}, {GUMBO_TAG_TABLE, HtmlPart::kTable},
    {GUMBO_TAG_THEAD, HtmlPart::kTableHead},  {GUMBO_TAG_TR, HtmlPart::kRow},
    {GUMBO_TAG_TD, HtmlPart::kCell},          {GUMBO_TAG_TH, HtmlPart::kHeaderCell},
    {GUMBO_TAG_A, HtmlPart::kLink},           {GUMBO_TAG_PRE, HtmlPart::kPre},
    {GUMBO_TAG_LISTING, HtmlPart::kPre},      {GUMBO_TAG_XMP, HtmlPart::kPre},
    {GUMBO_TAG_CODE, HtmlPart::kCode},        {GUMBO_TAG_IMG, HtmlPart::kImage},
    {GUMBO_TAG_IMAGE, HtmlPart::kImage},      {GUMBO_TAG_BR, HtmlPart::kBreak},
    {GUMBO_TAG_HR, HtmlPart::kRule},
};

constexpr std::array<Traits, GUMBO_TAG_LAST + 1> MakeTable() {
  std::array<Traits, GUMBO_TAG_LAST + 1> table{};
  for (const GumboTag tag : kBlocks) table[tag].display = kBlock;
  for (const GumboTag tag : kHiddenTags) table[tag].display = kHidden;
  for (const GumboTag tag : kVoids) table[tag].content = kVoid;
  table[GUMBO_TAG_A] = {HtmlTag::kA, kInline, kNormal};
  table[GUMBO_TAG_AREA] = {HtmlTag::kArea, kInline, kVoid};
  table[GUMBO_TAG_AUDIO] = {HtmlTag::kAudio, kHidden, kNormal};
  table[GUMBO_TAG_BASE] = {HtmlTag::kBase, kInline, kVoid};
  table[GUMBO_TAG_BODY].tag = HtmlTag::kBody;
  table[GUMBO_TAG_BR] = {HtmlTag::kOther, kBreak, kVoid};
  table[GUMBO_TAG_DATA].tag = HtmlTag::kData;
  table[GUMBO_TAG_EMBED] = {HtmlTag::kEmbed, kInline, kVoid};
  table[GUMBO_TAG_FRAME] = {HtmlTag::kFrame, kInline, kVoid};
  table[GUMBO_TAG_HR] = {HtmlTag::kOther, kBreak, kVoid};
  table[GUMBO_TAG_HTML].tag = HtmlTag::kHtml;
  table[GUMBO_TAG_IFRAME] = {HtmlTag::kIframe, kHidden, kRawText};
  table[GUMBO_TAG_IMG] = {HtmlTag::kImg, kInline, kVoid};
  table[GUMBO_TAG_IMAGE] = table[GUMBO_TAG_IMG];
  table[GUMBO_TAG_INPUT] = {HtmlTag::kInput, kInline, kVoid};
  table[GUMBO_TAG_LINK] = {HtmlTag::kLink, kInline, kVoid};
  table[GUMBO_TAG_LISTING] = {HtmlTag::kPre, kBlock, kNormal};
  table[GUMBO_TAG_META] = {HtmlTag::kMeta, kInline, kVoid};
  table[GUMBO_TAG_METER].tag = HtmlTag::kMeter;
  table[GUMBO_TAG_NOEMBED] = {HtmlTag::kOther, kHidden, kRawText};
  table[GUMBO_TAG_NOFRAMES] = {HtmlTag::kOther, kHidden, kRawText};
  table[GUMBO_TAG_NOSCRIPT] = {HtmlTag::kNoscript, kHidden, kNormal};
  table[GUMBO_TAG_OBJECT] = {HtmlTag::kObject, kInline, kNormal};
  table[GUMBO_TAG_PLAINTEXT] = {HtmlTag::kPre, kBlock, kPlainText};
  table[GUMBO_TAG_PRE] = {HtmlTag::kPre, kBlock, kNormal};
  table[GUMBO_TAG_SCRIPT] = {HtmlTag::kScript, kHidden, kRawText};
  table[GUMBO_TAG_SOURCE] = {HtmlTag::kSource, kInline, kVoid};
  table[GUMBO_TAG_STYLE] = {HtmlTag::kOther, kHidden, kRawText};
  table[GUMBO_TAG_TD].display = kCell;
  table[GUMBO_TAG_TEMPLATE] = {HtmlTag::kOther, kInert, kNormal};
  table[GUMBO_TAG_TEXTAREA] = {HtmlTag::kPre, kInline, kEscapableRawText};
  table[GUMBO_TAG_TH].display = kCell;
  table[GUMBO_TAG_TIME].tag = HtmlTag::kTime;
  table[GUMBO_TAG_TITLE] = {HtmlTag::kTitle, kHidden, kEscapableRawText};
  table[GUMBO_TAG_TRACK] = {HtmlTag::kTrack, kInline, kVoid};
  table[GUMBO_TAG_VIDEO] = {HtmlTag::kVideo, kHidden, kNormal};
  table[GUMBO_TAG_XMP] = {HtmlTag::kPre, kBlock, kRawText};
  for (const PartOfTag& each : kParts) table[each.tag].part = each.part;
  return table;
}

constexpr auto kTable = MakeTable();

// Elements for which gumbo has no number.
struct NamedTraits {
  std::string_view name;
  Traits traits;
};
constexpr NamedTraits kNamed[] = {
    {"annotation", {HtmlTag::kOther, kHidden, kNormal}},
    {"dialog", {HtmlTag::kDialog, kBlock, kNormal}},
    {"metadata", {HtmlTag::kOther, kHidden, kNormal}},
    {"search", {HtmlTag::kOther, kBlock, kNormal}},
};

}  // namespace

const HtmlTagTraits& TraitsOfTag(int gumbo_tag) {
  const auto index = static_cast<size_t>(gumbo_tag);
  return index < kTable.size() ? kTable[index] : kTable[GUMBO_TAG_UNKNOWN];
}

const HtmlTagTraits& TraitsOfName(std::string_view name) {
  const GumboTag tag = gumbo_tagn_enum(name.data(), static_cast<unsigned>(name.size()));
  if (tag != GUMBO_TAG_UNKNOWN) return TraitsOfTag(tag);
  for (const NamedTraits& named : kNamed) {
    if (EqualsIgnoringAsciiCase(name, named.name)) return named.traits;
  }
  return TraitsOfTag(GUMBO_TAG_UNKNOWN);
}

HtmlTagTraits ForeignTraits(const HtmlTagTraits& traits) {
  switch (traits.tag) {
    case HtmlTag::kA:
    case HtmlTag::kImg:
    case HtmlTag::kScript:
      return traits;
    default:
      return {HtmlTag::kOther, traits.display == HtmlDisplay::kHidden ? HtmlDisplay::kHidden : HtmlDisplay::kInline,
              HtmlContent::kNormal};
  }
}

}  // namespace trawl
