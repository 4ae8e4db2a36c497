#include "formats/structured/reader.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "formats/markup/markup.h"
#include "formats/structured/json_block.h"
#include "formats/structured/meta_names.h"
#include "formats/text/ascii.h"

namespace trawl {
namespace {

// Pages for people stay far below these numbers.
constexpr size_t kMostBlocks = 1'001;
constexpr size_t kMostElements = 20'000;
constexpr size_t kMostMetas = 1'000;
constexpr size_t kMostTimes = 100;
constexpr size_t kMostTextBytes = 4 << 20;
constexpr size_t kMostAttributeBytes = 16 << 10;
constexpr size_t kMostMarkBytes = 8 << 20;

struct MarkName {
  std::string_view name;
  Mark mark;
};
constexpr MarkName kMarks[] = {
    {"id", Mark::kId},
    {"itemscope", Mark::kItemScope},
    {"itemtype", Mark::kItemType},
    {"itemid", Mark::kItemId},
    {"itemprop", Mark::kItemProp},
    {"itemref", Mark::kItemRef},
    {"vocab", Mark::kVocab},
    {"typeof", Mark::kTypeOf},
    {"property", Mark::kProperty},
    {"resource", Mark::kResource},
    {"about", Mark::kResource},
    {"prefix", Mark::kPrefix},
    {"content", Mark::kContent},
    {"src", Mark::kUrl},
    {"href", Mark::kUrl},
    {"data", Mark::kUrl},
    {"value", Mark::kValue},
    {"datetime", Mark::kDateTime},
};

std::string_view CutUtf8(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<uint8_t>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

bool IsRaw(const HtmlTagTraits& traits) {
  return traits.tag == HtmlTag::kScript || (traits.display == HtmlDisplay::kHidden &&
                                            traits.content == HtmlContent::kRawText && traits.tag == HtmlTag::kOther);
}

bool IsJsonLd(std::string_view type) {
  type = StripHtmlSpace(type.substr(0, type.find(';')));
  return EqualsIgnoringAsciiCase(type, "application/ld+json");
}

}  // namespace

void StructuredReader::Space() {
  if (parts_->text.size() < kMostTextBytes && (parts_->text.empty() || parts_->text.back() != ' ')) {
    parts_->text.push_back(' ');
  }
}

void StructuredReader::TakeScript(const HtmlElement& element) {
  const std::string_view* type = element.Find("type");
  is_block_ = type != nullptr && IsJsonLd(*type);
  if (!is_block_) return;
  if (parts_->blocks.size() < kMostBlocks) {
    parts_->blocks.emplace_back();
  } else {
    parts_->cut = true;
    is_block_ = false;
  }
}

void StructuredReader::Keep(std::string_view utf8) {
  if (is_block_) {
    // One byte more than a block may have tells that it has too many.
    std::string& block = parts_->blocks.back();
    block.append(utf8.substr(0, kMostBlockBytes + 1 - block.size()));
    return;
  }
  const std::string_view kept = CutUtf8(utf8, kMostTextBytes - std::min(kMostTextBytes, parts_->text.size()));
  parts_->text.append(kept);
  if (kept.size() < utf8.size()) parts_->cut = true;
}

void StructuredReader::TakeMeta(const HtmlElement& element) {
  const std::string_view* content = element.Find("content");
  if (content == nullptr) return;
  const std::string_view value = CutUtf8(StripHtmlSpace(*content), kMostAttributeBytes);
  if (value.empty()) return;
  std::string taken;
  for (const char* attribute : {"property", "name"}) {
    const std::string_view* names = element.Find(attribute);
    if (names == nullptr) continue;
    for (const std::string_view written : SplitWords(names->substr(0, 1 << 10))) {
      std::string name = AsciiLower(written);
      if (name == taken || !IsKnownMetaName(name)) continue;
      if (parts_->metas.size() == kMostMetas) {
        parts_->cut = true;
        return;
      }
      taken = name;
      parts_->metas.push_back({std::move(name), std::string(value)});
    }
  }
}

bool StructuredReader::IsMarked(const HtmlElement& element) const {
  if (element.Find("itemscope") != nullptr || element.Find("itemprop") != nullptr) return true;
  if (element.Find("typeof") != nullptr || element.Find("vocab") != nullptr) return true;
  if (element.Find("resource") != nullptr) return true;
  const std::string_view* property = element.Find("property");
  // The properties of Open Graph are no items of RDFa, although they are written so.
  if (property != nullptr && element.traits.tag != HtmlTag::kMeta) return true;
  if (property != nullptr && !IsKnownMetaName(AsciiLower(StripHtmlSpace(property->substr(0, 256))))) return true;
  const std::string_view* prefix = element.Find("prefix");
  return prefix != nullptr && prefix->find("schema.org") != std::string_view::npos;
}

uint32_t StructuredReader::Place(MarkedElement element) {
  if (parts_->elements.size() >= kMostElements) {
    parts_->cut = true;
    return MarkedElement::kNone;
  }
  // Elements around it that have just an id become marked now: an itemref may name them.
  auto first = open_.end();
  while (first != open_.begin() && std::prev(first)->element == MarkedElement::kNone) --first;
  uint32_t parent = first == open_.begin() ? MarkedElement::kNone : std::prev(first)->element;
  for (auto mark = first; mark != open_.end(); ++mark) {
    if (mark->id.empty()) continue;
    mark->element = static_cast<uint32_t>(parts_->elements.size());
    MarkedElement around;
    around.parent = std::exchange(parent, mark->element);
    around.marks.emplace_back(Mark::kId, std::move(mark->id));
    parts_->elements.push_back(std::move(around));
  }
  element.parent = parent;
  element.end = static_cast<uint32_t>(parts_->elements.size()) + 1;
  parts_->elements.push_back(std::move(element));
  return element.end - 1;
}

uint32_t StructuredReader::TakeElement(const HtmlElement& element, bool* takes_text) {
  MarkedElement marked;
  marked.tag = element.traits.tag;
  for (const MarkName& name : kMarks) {
    const std::string_view* value = element.Find(name.name);
    if (value == nullptr || marked.Has(name.mark)) continue;
    const std::string_view kept = CutUtf8(StripHtmlSpace(*value), kMostAttributeBytes);
    marks_bytes_ += kept.size();
    if (marks_bytes_ > kMostMarkBytes) {
      parts_->cut = true;
      return MarkedElement::kNone;
    }
    marked.marks.emplace_back(name.mark, kept);
  }
  const bool is_property = marked.Has(Mark::kItemProp) || marked.Has(Mark::kProperty);
  const bool has_value = marked.Has(Mark::kItemScope) || marked.Has(Mark::kTypeOf) || marked.Has(Mark::kContent) ||
                         marked.Has(Mark::kDateTime);
  const uint32_t index = Place(std::move(marked));
  *takes_text = is_property && !has_value && index != MarkedElement::kNone;
  return index;
}

uint32_t StructuredReader::TakeTime(const HtmlElement& element, bool* takes_text) {
  if (articles_ + mains_ == 0 || parts_->times.size() == kMostTimes) return MarkedElement::kNone;
  PageTime& time = parts_->times.emplace_back();
  time.in_article = articles_ > 0;
  if (const std::string_view* datetime = element.Find("datetime"); datetime != nullptr) {
    time.datetime = StripHtmlSpace(*datetime).substr(0, 64);
  } else {
    time.text.begin = static_cast<uint32_t>(parts_->text.size());
    *takes_text = true;
  }
  return static_cast<uint32_t>(parts_->times.size() - 1);
}

void StructuredReader::Look(const HtmlElement& element) {
  if (raw_depth_ > 0) return;
  const HtmlTag tag = element.traits.tag;
  if (tag == HtmlTag::kMeta) TakeMeta(element);
  if (IsRaw(element.traits)) {
    raw_depth_ = depth_;
    is_block_ = false;
    if (tag == HtmlTag::kScript) TakeScript(element);
  }
  if (is_flat_) return;
  if (element.traits.part == HtmlPart::kArticle && articles_++ == 0) ++parts_->articles;
  if (element.traits.part == HtmlPart::kMain) ++mains_;
  if (open_texts_ > 0 && element.traits.display != HtmlDisplay::kInline &&
      element.traits.display != HtmlDisplay::kHidden) {
    Space();
  }
  OpenMark mark = {depth_, MarkedElement::kNone, {}, false, MarkedElement::kNone};
  bool is_kept = false;
  if (!element.attributes.empty() && IsMarked(element)) {
    mark.element = TakeElement(element, &mark.takes_text);
    if (mark.element != MarkedElement::kNone) {
      parts_->elements[mark.element].text.begin = static_cast<uint32_t>(parts_->text.size());
      is_kept = true;
    }
  } else if (const std::string_view* id = element.Find("id");
             id != nullptr && !id->empty() && id->size() <= 256 && tag != HtmlTag::kHtml && tag != HtmlTag::kBody) {
    mark.id = *id;
    is_kept = true;
  }
  if (tag == HtmlTag::kTime) {
    mark.time = TakeTime(element, &mark.takes_text);
    is_kept |= mark.time != MarkedElement::kNone;
  }
  if (!is_kept) return;
  if (mark.takes_text) ++open_texts_;
  open_.push_back(std::move(mark));
}

void StructuredReader::Leave(const HtmlTagTraits& traits) {
  if (raw_depth_ > 0) {
    if (depth_ != raw_depth_) return;
    raw_depth_ = 0;
    is_block_ = false;
  }
  if (is_flat_) return;
  if (traits.part == HtmlPart::kArticle && articles_ > 0) --articles_;
  if (traits.part == HtmlPart::kMain && mains_ > 0) --mains_;
  if (!open_.empty() && open_.back().depth == depth_) {
    const OpenMark& mark = open_.back();
    const auto text_end = static_cast<uint32_t>(parts_->text.size());
    if (mark.element != MarkedElement::kNone) {
      MarkedElement& element = parts_->elements[mark.element];
      element.end = static_cast<uint32_t>(parts_->elements.size());
      element.text.end = mark.takes_text ? text_end : element.text.begin;
    }
    if (mark.time != MarkedElement::kNone && mark.takes_text) parts_->times[mark.time].text.end = text_end;
    if (mark.takes_text) --open_texts_;
    open_.pop_back();
  }
  if (open_texts_ > 0 && (traits.display == HtmlDisplay::kBlock || traits.display == HtmlDisplay::kCell)) Space();
}

void StructuredReader::Gone(size_t above) {
  const uint64_t gone = depth_ - std::min<uint64_t>(depth_, above);
  --depth_;
  if (raw_depth_ >= gone) --raw_depth_;
  // An id may be all that it has.
  std::erase_if(open_, [gone](const OpenMark& mark) { return mark.depth == gone; });
  for (OpenMark& mark : open_) mark.depth -= mark.depth > gone ? 1 : 0;
}

std::string StructuredParts::TextOf(const TextRange& range) const {
  std::string collapsed;
  const std::string_view whole = std::string_view(text).substr(range.begin, range.end - range.begin);
  for (const std::string_view word : SplitWords(whole)) {
    if (!collapsed.empty()) collapsed.push_back(' ');
    collapsed += word;
  }
  return collapsed;
}

}  // namespace trawl
