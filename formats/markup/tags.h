// What the elements of HTML mean to a reader: for the sources of formats/html*. Pure; any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace trawl {

// The elements that something is taken from.
enum class HtmlTag : uint8_t {
  kOther,
  kA,
  kArea,
  kAudio,
  kBase,
  kBody,
  kDialog,
  kEmbed,
  kFrame,
  kHtml,
  kIframe,
  kImg,
  kInput,
  kLink,
  kMeta,
  kNoscript,
  kObject,
  kPre,
  kScript,
  kSource,
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
  kInert,   // its content is no part of the page
};

// How the flat scan reads what follows a start tag.
enum class HtmlContent : uint8_t { kNormal, kVoid, kRawText, kEscapableRawText, kPlainText };

struct HtmlTagTraits {
  HtmlTag tag = HtmlTag::kOther;
  HtmlDisplay display = HtmlDisplay::kInline;
  HtmlContent content = HtmlContent::kNormal;
};

// By GumboTag, and by name in any case.
const HtmlTagTraits& TraitsOfTag(int gumbo_tag);
const HtmlTagTraits& TraitsOfName(std::string_view name);
// Of an element of that name in SVG or MathML: its links, images, scripts and styles are what they are in HTML, but the
// title of a drawing is not the page's.
HtmlTagTraits ForeignTraits(const HtmlTagTraits& traits);

}  // namespace trawl
