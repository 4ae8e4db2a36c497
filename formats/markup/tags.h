// The meaning of HTML's elements for a reader: for the sources of formats/markup, formats/scan and formats/html. Pure;
// any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace trawl {

// The elements from which a reader takes something.
enum class HtmlTag : uint8_t {
  kOther,
  kA,
  kArea,
  kAudio,
  kBase,
  kBody,
  kData,
  kDialog,
  kEmbed,
  kFrame,
  kHtml,
  kIframe,
  kImg,
  kInput,
  kLink,
  kMeta,
  kMeter,
  kNoscript,
  kObject,
  kPre,
  kScript,
  kSource,
  kTime,
  kTitle,
  kTrack,
  kVideo,
};

enum class HtmlDisplay : uint8_t {
  kInline,
  kBlock,   // begins and ends a line
  kCell,    // one space apart from the next
  kBreak,   // ends a line
  kHidden,  // its text is never shown
  kInert,   // its content is not part of the page
};

// How the flat scan reads the text after a start tag.
enum class HtmlContent : uint8_t { kNormal, kVoid, kRawText, kEscapableRawText, kPlainText };

// What an element is to somebody who tells a page's content from what stands around it, and writes it anew.
enum class HtmlPart : uint8_t {
  kNone,
  kArticle,
  kMain,
  kNav,
  kFooter,
  kHeader,
  kAside,
  kFigure,
  kCaption,  // of a figure or table
  kControl,  // a button, a list to choose from, a field for text
  kParagraph,
  kHeading1,
  kHeading2,
  kHeading3,
  kHeading4,
  kHeading5,
  kHeading6,
  kList,
  kOrderedList,
  kItem,
  kTerm,
  kDetail,
  kQuote,
  kTable,
  kTableHead,
  kRow,
  kCell,
  kHeaderCell,
  kLink,
  kPre,
  // Those that follow are of use only to somebody who writes the page anew.
  kCode,
  kImage,
  kBreak,
  kRule,
};

struct HtmlTagTraits {
  HtmlTag tag = HtmlTag::kOther;
  HtmlDisplay display = HtmlDisplay::kInline;
  HtmlContent content = HtmlContent::kNormal;
  HtmlPart part = HtmlPart::kNone;
};

// The traits by GumboTag, and by name in any case.
const HtmlTagTraits& TraitsOfTag(int gumbo_tag);
const HtmlTagTraits& TraitsOfName(std::string_view name);
// The traits of an element of that name in SVG or MathML. Its links, images, scripts and styles are the same as in
// HTML, but the title of a drawing is not the title of the page.
HtmlTagTraits ForeignTraits(const HtmlTagTraits& traits);

}  // namespace trawl
