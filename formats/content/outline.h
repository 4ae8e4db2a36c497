// The shape of a page: its blocks and links, each with the part of the page's text that it holds. formats/html makes one
// while it reads a page; main_text.h and markdown.h read it.
//
// An outline belongs to one thread. It has at most kMostNodes nodes. A page with more, or one that was read without
// knowing which elements hold which, has no outline (is_whole() is false).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/scan/element.h"

namespace trawl {

// What attributes say of an element, as bits.
enum OutlineSign : uint8_t {
  kSaysAside = 1,        // a role of what stands beside the content: navigation, banner
  kWordsSayAside = 2,    // the same by a word of its class or id: promo, related, share
  kWordsSayForeign = 4,  // by a word, that it is by others than the author: comments, a consent banner
  kSaysContent = 8,      // itemprop=articleBody, role=main
};

struct OutlineNode {
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t parent = kNone;  // its number; kNone at the top
  uint32_t end = 0;         // the number of the first node after it and all inside it
  // In bytes of the page's text. White space before a piece of text belongs to that piece.
  uint32_t text_begin = 0;
  uint32_t text_end = 0;
  HtmlPart part = HtmlPart::kNone;
  uint8_t signs = 0;
};

class PageOutline {
 public:
  static constexpr size_t kMostNodes = 1 << 18;

  // In the order of the page: a node stands before those inside it.
  const std::vector<OutlineNode>& nodes() const { return nodes_; }
  bool is_whole() const { return is_whole_; }
  // The innermost node that is open now.
  uint32_t open_node() const { return open_.empty() ? OutlineNode::kNone : open_.back(); }

  // For the reader of a page. `text_at`: the length of the page's text so far. Elements that are not shown are left out,
  // and all inside them.
  void Open(const HtmlElement& element, size_t text_at) {
    if (is_whole_ && IsNode(element.traits)) Push(element, text_at);
  }
  void Close(const HtmlTagTraits& traits, size_t text_at) {
    if (is_whole_ && IsNode(traits)) Pop(text_at);
  }
  // Whether this ends an <a> without href. A reader may say so late or early, for it is no link and holds nothing. Call it
  // before Close, and Close only if it is false.
  bool EndsBareLink(const HtmlTagTraits& traits) { return traits.part == HtmlPart::kLink && TakeBareLink(); }
  // Ends what is still open at the end of the page.
  void End(size_t text_at) {
    while (!open_.empty()) Pop(text_at);
  }
  // The page has no outline; what comes after this is ignored.
  void Drop();

 private:
  static bool IsNode(const HtmlTagTraits& traits) {
    return traits.display == HtmlDisplay::kBlock || traits.display == HtmlDisplay::kCell ||
           (traits.part != HtmlPart::kNone && traits.part <= HtmlPart::kPre);
  }
  void Push(const HtmlElement& element, size_t text_at);
  void Pop(size_t text_at);
  bool TakeBareLink();

  std::vector<OutlineNode> nodes_;
  std::vector<uint32_t> open_;
  // How many nodes were open when each <a> without href began.
  std::vector<size_t> bare_links_;
  bool is_whole_ = true;
};

}  // namespace trawl
