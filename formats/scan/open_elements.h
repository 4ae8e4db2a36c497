// The stack of open elements and the list of active formatting elements (HTML Standard 13.2.4), without a tree: for the
// sources of formats/scan. A number identifies each element.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "formats/scan/element.h"
#include "formats/scan/sets.h"

namespace trawl {

struct OpenElement {
  // Counted from 1; unique in the page.
  uint32_t number = 0;
  // The position of its start tag; kImplied for an element without a tag.
  uint32_t tag_at = 0;
  uint32_t sets = 0;
  uint8_t tag = 0;
  HtmlSpace space = kHtmlSpace;
  HtmlTagTraits traits;
  HtmlShown shown = HtmlShown::kYes;
  // Whether its start was sent, so that its end must be sent too.
  bool is_sent = false;
  // The element was taken out of the stack while elements inside it stay. It ends when they end.
  bool is_gone = false;
  // An <a> without href: it begins and ends no link.
  bool is_bare_anchor = false;

  static constexpr uint32_t kImplied = UINT32_MAX;

  bool Is(int of_tag) const { return tag == of_tag && space == kHtmlSpace && !is_gone; }
  bool IsIn(uint32_t of_sets) const { return (sets & of_sets) != 0; }
  // Whether the receiver of the events cannot tell where the element begins and ends.
  bool IsUnseen() const {
    const bool is_nothing = traits.tag == HtmlTag::kOther && traits.part == HtmlPart::kNone;
    return (is_nothing || is_bare_anchor) && traits.display == HtmlDisplay::kInline && shown == HtmlShown::kYes;
  }
};

class OpenElements {
 public:
  bool empty() const { return stack_.empty(); }
  // Counts elements that are gone, too.
  size_t size() const { return stack_.size(); }
  OpenElement& operator[](size_t index) { return stack_[index]; }
  const OpenElement& operator[](size_t index) const { return stack_[index]; }
  // REQUIRES: not empty. The top is never an element that is gone.
  OpenElement& top() { return stack_.back(); }
  const OpenElement& top() const { return stack_.back(); }
  // The element below the top. REQUIRES: there is one.
  const OpenElement& BelowTop() const;

  void Push(const OpenElement& element);
  // Removes the last element, whether it is gone or not.
  void DropLast();
  void Insert(size_t index, const OpenElement& element);
  void Erase(size_t index);
  void MarkGone(size_t index);

  // The number of open HTML elements of that name.
  uint32_t Count(int tag) const { return counts_[static_cast<size_t>(tag)]; }
  bool HasInScope(int tag, uint32_t scope_end) const;
  bool HasSetInScope(uint32_t set, uint32_t scope_end) const;
  bool HasSelectInSelectScope(int select_tag) const;
  // The index of the element with that number, or npos.
  size_t Find(uint32_t number) const;

  static constexpr size_t npos = static_cast<size_t>(-1);

 private:
  void Uncount(const OpenElement& element);

  std::vector<OpenElement> stack_;
  std::array<uint32_t, 256> counts_{};
};

struct FormattingElement {
  // 0 for a marker.
  uint32_t number = 0;
  uint32_t tag_at = 0;
  uint8_t tag = 0;
  bool is_open = true;
};

}  // namespace trawl
