// Members of HtmlReader that send elements and texts and keep the stack of open elements.
#include <gumbo.h>

#include <algorithm>

#include "formats/markup/markup.h"
#include "formats/scan/reader.h"

namespace trawl {

// Texts that follow each other are one node, even if something between them was ignored.
void HtmlReader::AddText(std::string_view text, bool lives_on) {
  if (pending_.empty() && lives_on) {
    pending_ = text;
    return;
  }
  if (lives_on && pending_.data() + pending_.size() == text.data()) {
    pending_ = {pending_.data(), pending_.size() + text.size()};
    return;
  }
  if (pending_.data() != text_.data()) text_ = pending_;
  text_ += text;
  pending_ = text_;
}

void HtmlReader::Flush() {
  if (pending_.empty()) return;
  ++work_.nodes;
  if (inert_ == 0) {
    if (fosters_ && open_.top().IsIn(kFosters)) return Wild(HtmlWild::kFostered);
    events_->Text(pending_);
  }
  text_.clear();
  pending_ = {};
}

std::string_view HtmlReader::NameAt(uint32_t tag_at) const {
  size_t begin = tag_at + 1;
  if (html_[begin] == '/') ++begin;
  size_t end = begin;
  while (end < html_.size() && !IsAsciiWhitespace(html_[end]) && html_[end] != '/' && html_[end] != '>') ++end;
  return html_.substr(begin, end - begin);
}

bool HtmlReader::InTemplate() const { return open_.Count(GUMBO_TAG_TEMPLATE) > 0; }

OpenElement HtmlReader::ElementOf(uint8_t tag, HtmlSpace space, uint32_t tag_at) const {
  OpenElement element;
  element.tag_at = tag_at;
  element.tag = tag;
  element.space = space;
  element.sets = SetsOf(tag, space);
  element.traits = tag == GUMBO_TAG_UNKNOWN ? TraitsOfName(NameAt(tag_at)) : TraitsOfTag(tag);
  if (space != kHtmlSpace) element.traits = ForeignTraits(element.traits);
  return element;
}

void HtmlReader::Send(OpenElement* element, HtmlElement& attributes) {
  const HtmlTagTraits& traits = element->traits;
  const bool is_plain = traits.tag == HtmlTag::kOther && traits.part == HtmlPart::kNone &&
                        traits.display == HtmlDisplay::kInline && attributes.names == 0;
  if (inert_ > 0 || is_plain) return;
  attributes.traits = traits;
  element->shown = events_->Open(attributes);
  element->is_sent = true;
  if (element->shown == HtmlShown::kInert) ++inert_;
  if (attributes.references != nullptr && attributes.references->is_unsure()) Wild(HtmlWild::kReference);
}

void HtmlReader::End(const OpenElement& element) {
  if (element.shown == HtmlShown::kInert) --inert_;
  if (element.is_sent) events_->Close(element.traits, element.shown);
}

void HtmlReader::Place(OpenElement* element, HtmlElement& attributes, bool flush_first) {
  if (flush_first) Flush();
  if (fosters_ && inert_ == 0 && open_.top().IsIn(kFosters)) return Wild(HtmlWild::kFostered);
  element->number = ++last_number_;
  element->is_bare_anchor = element->traits.tag == HtmlTag::kA && attributes.Find("href") == nullptr;
  ++work_.nodes;
  Send(element, attributes);
  open_.Push(*element);
  work_.most_open = std::max(work_.most_open, open_.size());
  if (open_.size() > kMostOpenElements) Wild(HtmlWild::kDepth);
}

void HtmlReader::InsertToken(HtmlSpace space) {
  OpenElement element = ElementOf(token_.tag, space, token_.at);
  if (space == kHtmlSpace && token_.tag == GUMBO_TAG_HTML) html_names_ = RootNames();
  if (space == kHtmlSpace && token_.tag == GUMBO_TAG_BODY) body_names_ = RootNames();
  Place(&element, element_, true);
}

void HtmlReader::InsertVoid() {
  InsertToken();
  if (!is_wild()) Pop();
}

void HtmlReader::InsertImplied(int tag) {
  OpenElement element = ElementOf(static_cast<uint8_t>(tag), kHtmlSpace, OpenElement::kImplied);
  again_.attributes.clear();
  again_.names = 0;
  Place(&element, again_, true);
}

// An element that was taken out of the stack ends together with the elements that stood above it.
void HtmlReader::EndGone() {
  while (!open_.empty() && open_.top().is_gone) {
    End(open_.top());
    open_.DropLast();
  }
}

void HtmlReader::Pop() {
  Flush();
  if (is_wild()) return;
  const OpenElement element = open_.top();
  End(element);
  open_.DropLast();
  if (element.IsIn(kFormatting)) ForgetOpen(element.number);
  EndGone();
}

void HtmlReader::PopTo(int tag) {
  while (!is_wild() && !open_.empty()) {
    const bool is_last = open_.top().Is(tag);
    Pop();
    if (is_last) return;
  }
}

// Pops elements until the top is in one of these sets. That element stays.
void HtmlReader::PopToSets(uint32_t sets) {
  while (!is_wild() && !open_.top().IsIn(sets)) Pop();
}

// Does not flush: pending text goes to the place where it belongs after this.
void HtmlReader::TakeOut(size_t index) {
  const OpenElement element = open_[index];
  if (element.IsIn(kFormatting)) ForgetOpen(element.number);
  if (index + 1 < open_.size()) return open_.MarkGone(index);
  End(element);
  open_.DropLast();
  EndGone();
}

void HtmlReader::ImpliedEnds(int except) {
  while (!is_wild() && open_.top().IsIn(kImpliedEnd) && !open_.top().Is(except)) Pop();
}

void HtmlReader::CloseTo(int tag) {
  ImpliedEnds(tag);
  PopTo(tag);
}

void HtmlReader::CloseP() {
  if (open_.HasInScope(GUMBO_TAG_P, kEndsButtonScope)) CloseTo(GUMBO_TAG_P);
}

// The attributes of this tag that somebody would see if a second <html> or <body> added them.
uint8_t HtmlReader::RootNames() const {
  uint8_t names = element_.Find("id") != nullptr ? kIdName : 0;
  if (element_.Find("lang") != nullptr) names |= kLangName;
  if (element_.Find("xml:lang") != nullptr) names |= kXmlLangName;
  return names;
}

// A second <html> or <body> adds the attributes that the first one does not have.
// The attributes of microdata and RDFa, and those that give a value to a property.
bool HtmlReader::HasMarks(const HtmlElement& element) {
  for (const char* name : {"itemscope", "itemprop", "itemtype", "itemid", "itemref", "typeof", "vocab", "property",
                           "resource", "about", "prefix", "content", "value", "datetime"}) {
    if (element.Find(name) != nullptr) return true;
  }
  return false;
}

void HtmlReader::MergeInto(bool is_html) {
  work_.attributes += element_.attributes.size();
  uint8_t& names = is_html ? html_names_ : body_names_;
  const uint8_t added = RootNames() & ~names;
  // lang takes precedence over xml:lang.
  const bool has_lang = (names & kLangName) != 0;
  if (is_html && !has_lang && (added & (kLangName | kXmlLangName)) != 0) return Wild(HtmlWild::kHtmlAgain);
  for (HtmlAttribute& attribute : element_.attributes) {
    if (attribute.name == "id" && (names & kIdName) != 0) attribute.name = {};
  }
  // The tree has them on the element from its beginning.
  const bool has_url =
      element_.Find("href") != nullptr || element_.Find("src") != nullptr || element_.Find("data") != nullptr;
  if (has_url || HasMarks(element_)) return Wild(HtmlWild::kHtmlAgain);
  names |= added;
  if (element_.names != 0 && inert_ == 0) events_->More(element_);
  if (references_.is_unsure()) Wild(HtmlWild::kReference);
}

HtmlMode HtmlReader::ModeOf(size_t index) const {
  if (open_[index].space != kHtmlSpace || open_[index].is_gone) return index == 0 ? HtmlMode::kInBody : HtmlMode::kNone;
  switch (open_[index].tag) {
    case GUMBO_TAG_SELECT:
      for (size_t i = index; i > 0; --i) {
        if (open_[i].Is(GUMBO_TAG_TEMPLATE)) break;
        if (open_[i].Is(GUMBO_TAG_TABLE)) return HtmlMode::kInSelectInTable;
      }
      return HtmlMode::kInSelect;
    case GUMBO_TAG_TD:
    case GUMBO_TAG_TH:
      return HtmlMode::kInCell;
    case GUMBO_TAG_TR:
      return HtmlMode::kInRow;
    case GUMBO_TAG_TBODY:
    case GUMBO_TAG_THEAD:
    case GUMBO_TAG_TFOOT:
      return HtmlMode::kInTableBody;
    case GUMBO_TAG_CAPTION:
      return HtmlMode::kInCaption;
    case GUMBO_TAG_COLGROUP:
      return HtmlMode::kInColumnGroup;
    case GUMBO_TAG_TABLE:
      return HtmlMode::kInTable;
    case GUMBO_TAG_TEMPLATE:
      return template_modes_.empty() ? HtmlMode::kInitial : template_modes_.back();
    case GUMBO_TAG_HEAD:
      return HtmlMode::kInHead;
    case GUMBO_TAG_BODY:
      return HtmlMode::kInBody;
    case GUMBO_TAG_HTML:
      return has_head_ ? HtmlMode::kAfterHead : HtmlMode::kBeforeHead;
    default:
      return index == 0 ? HtmlMode::kInBody : HtmlMode::kNone;
  }
}

namespace {

// Whether an HTML element of that name decides the insertion mode.
bool DecidesMode(int tag) {
  switch (tag) {
    case GUMBO_TAG_SELECT:
    case GUMBO_TAG_TD:
    case GUMBO_TAG_TH:
    case GUMBO_TAG_TR:
    case GUMBO_TAG_TBODY:
    case GUMBO_TAG_THEAD:
    case GUMBO_TAG_TFOOT:
    case GUMBO_TAG_CAPTION:
    case GUMBO_TAG_COLGROUP:
    case GUMBO_TAG_TABLE:
    case GUMBO_TAG_TEMPLATE:
    case GUMBO_TAG_HEAD:
    case GUMBO_TAG_BODY:
    case GUMBO_TAG_FRAMESET:
    case GUMBO_TAG_HTML:
      return true;
    default:
      return false;
  }
}

}  // namespace

void HtmlReader::ResetMode() {
  for (size_t i = open_.size(); i-- > 0;) {
    // In some places gumbo looks only at the name.
    const OpenElement& element = open_[i];
    if (element.space != kHtmlSpace && !element.is_gone && DecidesMode(element.tag)) return Wild(HtmlWild::kForeign);
    const HtmlMode mode = ModeOf(i);
    if (mode == HtmlMode::kNone) continue;
    mode_ = mode;
    return;
  }
}

}  // namespace trawl
