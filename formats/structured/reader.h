// Takes the structured data out of a page as its events pass by. For formats/html, which passes every event on.
//
// It keeps nothing of an element without marks. On a page without structured data an event costs it a few instructions,
// for the reader of the page knows which names of attributes an element has. Use one reader per page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/scan/element.h"
#include "formats/structured/parts.h"

namespace trawl {

class StructuredReader {
 public:
  // `parts` must outlive the reader.
  explicit StructuredReader(StructuredParts* parts) : parts_(parts) {}

  // The events of HtmlEvents, without elements that are inert.
  void Open(const HtmlElement& element) {
    ++depth_;
    if ((element.names & kWatchedNames) != 0 || IsWatched(element.traits) || open_texts_ > 0) Look(element);
  }
  void Close(const HtmlTagTraits& traits) {
    const bool ends_mark = !open_.empty() && open_.back().depth == depth_;
    if (ends_mark || depth_ == raw_depth_ || open_texts_ > 0 || articles_ + mains_ > 0) Leave(traits);
    --depth_;
  }
  void Gone(size_t above);
  void Text(std::string_view utf8) {
    if (raw_depth_ == 0 ? open_texts_ > 0 : is_block_) Keep(utf8);
  }

  // From now on, elements do not hold one another, because the flat scan reads the page. Only what one tag says counts.
  void ReadFlat() { is_flat_ = true; }

 private:
  static constexpr uint32_t kWatchedNames = HtmlNameBit("itemscope") | HtmlNameBit("itemprop") | HtmlNameBit("typeof") |
                                            HtmlNameBit("property") | HtmlNameBit("vocab") | HtmlNameBit("prefix") |
                                            HtmlNameBit("resource") | HtmlNameBit("id");

  static bool IsWatched(const HtmlTagTraits& traits) {
    return traits.tag == HtmlTag::kScript || traits.tag == HtmlTag::kMeta || traits.tag == HtmlTag::kTime ||
           traits.part == HtmlPart::kArticle || traits.part == HtmlPart::kMain;
  }

  // An open element that has marks or an id.
  struct OpenMark {
    uint64_t depth;
    // Its index in parts_->elements. kNone: it has just an id, and nothing in it has marks so far.
    uint32_t element;
    std::string id;
    bool takes_text;
    // Its index in parts_->times.
    uint32_t time;
  };

  void Look(const HtmlElement& element);
  void Leave(const HtmlTagTraits& traits);
  void Keep(std::string_view utf8);
  void TakeScript(const HtmlElement& element);
  void TakeMeta(const HtmlElement& element);
  bool IsMarked(const HtmlElement& element) const;
  uint32_t TakeElement(const HtmlElement& element, bool* takes_text);
  uint32_t TakeTime(const HtmlElement& element, bool* takes_text);
  uint32_t Place(MarkedElement element);
  void Space();

  StructuredParts* const parts_;
  uint64_t depth_ = 0;
  std::vector<OpenMark> open_;
  // Elements in open_ that take text.
  uint32_t open_texts_ = 0;
  size_t marks_bytes_ = 0;
  // The depth of the open script or style; 0: none is open.
  uint64_t raw_depth_ = 0;
  bool is_block_ = false;
  bool is_flat_ = false;
  uint32_t articles_ = 0;
  uint32_t mains_ = 0;
};

}  // namespace trawl
