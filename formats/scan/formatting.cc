// Members of HtmlReader for the list of active formatting elements and the adoption agency (HTML Standard 13.2.4.3 and
// 13.2.6.4.7).
#include <gumbo.h>

#include <algorithm>

#include "formats/scan/reader.h"

namespace trawl {
namespace {

constexpr size_t npos = static_cast<size_t>(-1);

}  // namespace

size_t HtmlReader::FindEntry(uint32_t number) const {
  for (size_t i = formatting_.size(); i-- > 0;) {
    if (formatting_[i].number == number) return i;
  }
  return npos;
}

void HtmlReader::ForgetOpen(uint32_t number) {
  const size_t entry = FindEntry(number);
  if (entry != npos) formatting_[entry].is_open = false;
}

bool HtmlReader::HaveSameAttributes(uint32_t tag_at, uint32_t other_at) {
  const size_t begin = tag_at + 1 + NameAt(tag_at).size();
  size_t at = begin;
  size_t other = other_at + 1 + NameAt(other_at).size();
  bool closes_itself = false;
  HtmlElement first;
  HtmlReferences references;
  first.references = &references;
  ReadAttributes(&at, &first, &closes_itself);
  ReadAttributes(&other, &again_, &closes_itself);
  Spend(at - begin + first.attributes.size() * first.attributes.size());
  if (first.attributes.size() != again_.attributes.size()) return false;
  for (size_t i = 0; i < first.attributes.size(); ++i) {
    const std::string_view name = first.attributes[i].name;
    const std::string_view* value = again_.Find(name);
    if (value == nullptr || *value != *first.Find(name)) return false;
  }
  if (references.is_unsure() || again_references_.is_unsure()) Wild(HtmlWild::kReference);
  return true;
}

// Adds the element on top of the stack. If four in the list are alike, the first is forgotten.
void HtmlReader::AddFormatting() {
  if (is_wild()) return;
  OpenElement& top = open_.top();
  top.sets |= kFormatting;
  size_t same_name = 0;
  for (size_t i = formatting_.size(); i-- > 0 && formatting_[i].number != 0;)
    same_name += formatting_[i].tag == top.tag;
  if (same_name >= 3) {
    size_t alike = 0;
    size_t first = npos;
    for (size_t i = formatting_.size(); i-- > 0 && formatting_[i].number != 0;) {
      if (formatting_[i].tag != top.tag || !HaveSameAttributes(formatting_[i].tag_at, top.tag_at)) continue;
      ++alike;
      first = i;
    }
    if (alike >= 3) formatting_.erase(formatting_.begin() + static_cast<ptrdiff_t>(first));
  }
  formatting_.push_back({top.number, top.tag_at, top.tag, true});
  if (formatting_.size() > kMostFormatting) Wild(HtmlWild::kWork);
  work_.most_formatting = std::max(work_.most_formatting, formatting_.size());
}

void HtmlReader::ClearToMarker() {
  while (!formatting_.empty()) {
    const bool is_marker = formatting_.back().number == 0;
    formatting_.pop_back();
    if (is_marker) return;
  }
}

void HtmlReader::Reconstruct() {
  if (formatting_.empty() || formatting_.back().number == 0 || formatting_.back().is_open) return;
  size_t i = formatting_.size() - 1;
  while (i > 0 && formatting_[i - 1].number != 0 && !formatting_[i - 1].is_open) --i;
  for (; i < formatting_.size() && !is_wild(); ++i) {
    FormattingElement& entry = formatting_[i];
    OpenElement element = ElementOf(entry.tag, kHtmlSpace, entry.tag_at);
    element.sets |= kFormatting;
    size_t at = entry.tag_at + 1 + NameAt(entry.tag_at).size();
    bool closes_itself = false;
    ReadAttributes(&at, &again_, &closes_itself);
    Spend(at - entry.tag_at + 64);
    work_.attributes += again_.attributes.size();
    Place(&element, again_, false);
    entry.number = element.number;
    entry.is_open = true;
  }
}

size_t HtmlReader::LastAnchor() const {
  for (size_t i = formatting_.size(); i-- > 0 && formatting_[i].number != 0;) {
    if (formatting_[i].tag == GUMBO_TAG_A) return i;
  }
  return npos;
}

// Nobody can see where a copy stands, so the copy is not sent.
OpenElement HtmlReader::CloneOf(const OpenElement& element) {
  OpenElement clone = element;
  clone.number = ++last_number_;
  clone.is_sent = false;
  ++work_.nodes;
  work_.attributes += work_.most_attributes;
  return clone;
}

// Whether the element is a part of the page's structured data, so that it matters what stands in it.
bool HtmlReader::IsMarked(const OpenElement& element) {
  if (element.tag_at == OpenElement::kImplied) return false;
  const size_t begin = element.tag_at + 1 + NameAt(element.tag_at).size();
  size_t at = begin;
  bool closes_itself = false;
  ReadAttributes(&at, &again_, &closes_itself);
  Spend(at - begin);
  if (again_.Find("id") != nullptr) moves_id_ = true;
  return HasMarks(again_);
}

// The element at `index` leaves the stack without an end.
void HtmlReader::SayGone(size_t index) {
  if (!open_[index].is_sent) return;
  size_t above = 0;
  for (size_t i = index + 1; i < open_.size(); ++i) above += open_[i].is_sent ? 1 : 0;
  events_->Gone(above);
}

void HtmlReader::Adopt(int tag) {
  if (open_.top().Is(tag) && FindEntry(open_.top().number) == npos) return Pop();
  for (int round = 0; round < 8 && !is_wild(); ++round) {
    size_t entry = formatting_.size();
    while (entry > 0 && formatting_[entry - 1].number != 0 && formatting_[entry - 1].tag != tag) --entry;
    if (entry == 0 || formatting_[--entry].number == 0) return;
    const size_t element = formatting_[entry].is_open ? open_.Find(formatting_[entry].number) : npos;
    if (element == npos) {
      formatting_.erase(formatting_.begin() + static_cast<ptrdiff_t>(entry));
      return;
    }
    if (!open_.HasInScope(tag, kEndsScope)) return;
    size_t block = element;
    while (block < open_.size() && !open_[block].IsIn(kSpecial)) ++block;
    if (block == open_.size()) {
      const uint32_t number = formatting_[entry].number;
      while (!is_wild() && open_.top().number != number) Pop();
      Pop();
      entry = FindEntry(number);
      if (entry != npos) formatting_.erase(formatting_.begin() + static_cast<ptrdiff_t>(entry));
      return;
    }
    AdoptAbove(entry, element, block);
  }
}

// The block moves out of the formatting element, and a copy of that element is put into the block. Nothing need be sent
// for this as long as nobody sees where the elements between the two begin and end.
void HtmlReader::AdoptAbove(size_t entry, size_t element, size_t block) {
  for (size_t i = element; i < block && inert_ == 0; ++i) {
    if (!open_[i].IsUnseen() || open_[i].is_gone || IsMarked(open_[i])) return Wild(HtmlWild::kMisnested);
  }
  for (size_t i = element - 1; i <= block; ++i) {
    if (open_[i].is_gone) return Wild(HtmlWild::kMisnested);
  }
  if (fosters_ && inert_ == 0 && open_[element - 1].IsIn(kFosters)) return Wild(HtmlWild::kFostered);
  size_t bookmark = entry + 1;
  bool is_first = true;
  size_t count = 0;
  for (size_t node = block; --node > element;) {
    ++count;
    size_t at = FindEntry(open_[node].number);
    if (count > 3 && at != npos) {
      // gumbo leaves the element in the stack, although the block is no longer inside it.
      if (inert_ == 0) return Wild(HtmlWild::kMisnested);
      formatting_.erase(formatting_.begin() + static_cast<ptrdiff_t>(at));
      if (at < bookmark) --bookmark;
      open_[node].sets &= ~static_cast<uint32_t>(kFormatting);
      continue;
    }
    if (at == npos) {
      SayGone(node);
      open_.Erase(node);
      --block;
      continue;
    }
    SayGone(node);
    open_[node] = CloneOf(open_[node]);
    formatting_[at].number = open_[node].number;
    if (is_first) bookmark = at + 1;
    is_first = false;
  }
  entry = FindEntry(open_[element].number);
  FormattingElement copied = formatting_[entry];
  const OpenElement clone = CloneOf(open_[element]);
  copied.number = clone.number;
  if (entry < bookmark) --bookmark;
  formatting_.erase(formatting_.begin() + static_cast<ptrdiff_t>(entry));
  formatting_.insert(formatting_.begin() + static_cast<ptrdiff_t>(bookmark), copied);
  SayGone(element);
  open_.Erase(element);
  --block;
  open_.Insert(block + 1, clone);
  work_.most_open = std::max(work_.most_open, open_.size());
}

}  // namespace trawl
