#include "formats/scan/open_elements.h"

namespace trawl {

const OpenElement& OpenElements::BelowTop() const {
  size_t i = stack_.size() - 2;
  while (stack_[i].is_gone) --i;
  return stack_[i];
}

void OpenElements::Push(const OpenElement& element) {
  stack_.push_back(element);
  if (element.space == kHtmlSpace) ++counts_[element.tag];
}

void OpenElements::Uncount(const OpenElement& element) {
  if (element.space == kHtmlSpace && !element.is_gone) --counts_[element.tag];
}

void OpenElements::DropLast() {
  Uncount(stack_.back());
  stack_.pop_back();
}

void OpenElements::Insert(size_t index, const OpenElement& element) {
  stack_.insert(stack_.begin() + static_cast<ptrdiff_t>(index), element);
  if (element.space == kHtmlSpace) ++counts_[element.tag];
}

void OpenElements::Erase(size_t index) {
  Uncount(stack_[index]);
  stack_.erase(stack_.begin() + static_cast<ptrdiff_t>(index));
}

void OpenElements::MarkGone(size_t index) {
  Uncount(stack_[index]);
  stack_[index].is_gone = true;
  stack_[index].sets = 0;
}

bool OpenElements::HasInScope(int tag, uint32_t scope_end) const {
  if (Count(tag) == 0) return false;
  for (size_t i = stack_.size(); i-- > 0;) {
    if (stack_[i].Is(tag)) return true;
    if (stack_[i].IsIn(scope_end)) return false;
  }
  return false;
}

bool OpenElements::HasSetInScope(uint32_t set, uint32_t scope_end) const {
  for (size_t i = stack_.size(); i-- > 0;) {
    if (stack_[i].IsIn(set)) return true;
    if (stack_[i].IsIn(scope_end)) return false;
  }
  return false;
}

bool OpenElements::HasSelectInSelectScope(int select_tag) const {
  for (size_t i = stack_.size(); i-- > 0;) {
    if (stack_[i].is_gone) continue;
    if (stack_[i].Is(select_tag)) return true;
    if (!stack_[i].IsIn(kOptions)) return false;
  }
  return false;
}

size_t OpenElements::Find(uint32_t number) const {
  for (size_t i = stack_.size(); i-- > 0;) {
    if (stack_[i].number == number && !stack_[i].is_gone) return i;
  }
  return npos;
}

}  // namespace trawl
