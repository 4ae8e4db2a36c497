#include "formats/content/outline.h"

#include "formats/content/signs.h"

namespace trawl {
namespace {

// Names of a page's whole content say nothing of what stands beside it.
bool HasOwnName(const HtmlElement& element) {
  const HtmlPart part = element.traits.part;
  return part == HtmlPart::kArticle || part == HtmlPart::kMain || element.traits.tag == HtmlTag::kBody ||
         element.traits.tag == HtmlTag::kHtml;
}

// Parts so small that their names need not be read: what holds them has one, too.
bool IsSmall(HtmlPart part) {
  return (part >= HtmlPart::kHeading1 && part <= HtmlPart::kHeading6) || part == HtmlPart::kItem ||
         part == HtmlPart::kTerm || part == HtmlPart::kDetail || part == HtmlPart::kRow ||
         part == HtmlPart::kTableHead || part == HtmlPart::kHeaderCell || part == HtmlPart::kLink;
}

uint8_t SignsOf(const HtmlElement& element) {
  if (IsSmall(element.traits.part)) return 0;
  uint8_t signs = SignsOfRole(element);
  if (HasOwnName(element)) return signs & static_cast<uint8_t>(~kSaysAside);
  if (const std::string_view* names = element.Find("class"); names != nullptr) signs |= SignsOfWords(*names);
  if (const std::string_view* name = element.Find("id"); name != nullptr) signs |= SignsOfWords(*name);
  return signs;
}

}  // namespace

void PageOutline::Drop() {
  is_whole_ = false;
  nodes_ = {};
  open_ = {};
}

void PageOutline::Push(const HtmlElement& element, size_t text_at) {
  while (!bare_links_.empty() && bare_links_.back() > open_.size()) bare_links_.pop_back();  // they ended unsaid
  if (element.traits.part == HtmlPart::kLink && element.Find("href") == nullptr) {
    bare_links_.push_back(open_.size());
    return;
  }
  if (nodes_.size() == kMostNodes) return Drop();
  OutlineNode node;
  node.parent = open_node();
  node.text_begin = static_cast<uint32_t>(text_at);
  node.part = element.traits.part;
  if (!element.attributes.empty()) node.signs = SignsOf(element);
  open_.push_back(static_cast<uint32_t>(nodes_.size()));
  nodes_.push_back(node);
}

void PageOutline::Pop(size_t text_at) {
  if (open_.empty()) return;
  OutlineNode& node = nodes_[open_.back()];
  open_.pop_back();
  node.text_end = static_cast<uint32_t>(text_at);
  node.end = static_cast<uint32_t>(nodes_.size());
}

bool PageOutline::TakeBareLink() {
  if (!is_whole_) return true;
  const bool in_link = !open_.empty() && nodes_[open_.back()].part == HtmlPart::kLink;
  if (in_link && (bare_links_.empty() || bare_links_.back() < open_.size())) return false;
  if (!bare_links_.empty()) bare_links_.pop_back();
  return true;
}

}  // namespace trawl
