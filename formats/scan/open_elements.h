// The stack of open elements and the list of active formatting elements (HTML Standard 13.2.4), without a tree: for the
// sources of formats/scan. Elements are known by numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "formats/scan/element.h"
#include "formats/scan/sets.h"

namespace trawl {

struct OpenElement {
  // Counted from 1; no two elements of a page have the same.
  uint32_t number = 0;
  // Where its start tag begins; kImplied where it has none.
  uint32_t tag_at = 0;
  uint32_t sets = 0;
  uint8_t tag = 0;
  HtmlSpace space = kHtmlSpace;
  HtmlTagTraits traits;
  HtmlShown shown = HtmlShown::kYes;
  // Whether its start was sent, so that its end must be.
  bool is_sent = false;
  // Taken out of the stack while elements inside it stay: it ends when they do.
  bool is_gone = false;
  // An <a> without href: no link begins or ends with it.
  bool is_bare_anchor = false;

  static constexpr uint32_t kImplied = UINT32_MAX;

  bool Is(int of_tag) const { return tag == of_tag && space == kHtmlSpace && !is_gone; }
  bool IsIn(uint32_t of_sets) const { return (sets & of_sets) != 0; }
  // Whether those who take the page cannot tell where it begins and ends.
  bool IsUnseen() const {
    return (traits.tag == HtmlTag::kOther || is_bare_anchor) && traits.display == HtmlDisplay::kInline &&
           shown == HtmlShown::kYes;
  }
};

class OpenElements {
 public:
  bool empty() const { return stack_.empty(); }
  // With those that are gone.
  size_t size() const { return stack_.size(); }
  OpenElement& operator[](size_t index) { return stack_[index]; }
  const OpenElement& operator[](size_t index) const { return stack_[index]; }
  // REQUIRES: not empty. Never one that is gone.
  OpenElement& top() { return stack_.back(); }
  const OpenElement& top() const { return stack_.back(); }
  // The element below the top; REQUIRES that there is one.
  const OpenElement& BelowTop() const;

  void Push(const OpenElement& element);
  // Takes the last one away, gone or not.
  void DropLast();
  void Insert(size_t index, const OpenElement& element);
  void Erase(size_t index);
  void MarkGone(size_t index);

  // How many of that name are open in HTML.
  uint32_t Count(int tag) const { return counts_[static_cast<size_t>(tag)]; }
  bool HasInScope(int tag, uint32_t scope_end) const;
  bool HasSetInScope(uint32_t set, uint32_t scope_end) const;
  bool HasSelectInSelectScope(int select_tag) const;
  // The index of the element of that number, or npos.
  size_t Find(uint32_t number) const;

  static constexpr size_t npos = static_cast<size_t>(-1);

 private:
  void Uncount(const OpenElement& element);

  std::vector<OpenElement> stack_;
  std::array<uint32_t, 256> counts_{};
};

struct FormattingElement {
  // 0 is a marker.
  uint32_t number = 0;
  uint32_t tag_at = 0;
  uint8_t tag = 0;
  bool is_open = true;
};

}  // namespace trawl
