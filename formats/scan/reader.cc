#include "formats/scan/reader.h"

#include <gumbo.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "formats/markup/entities.h"
#include "formats/markup/markup.h"

namespace trawl {
namespace {

constexpr size_t npos = std::string_view::npos;

enum ByteClass : uint8_t { kSpaceByte = 1, kEndsName = 2, kEndsAttributeName = 4 };

// The bytes have no carriage returns: PreparedHtml has replaced them.
constexpr std::array<uint8_t, 256> kClasses = [] {
  std::array<uint8_t, 256> classes{};
  for (const char c : {' ', '\t', '\n', '\f'}) {
    classes[static_cast<uint8_t>(c)] = kSpaceByte | kEndsName | kEndsAttributeName;
  }
  classes['/'] = classes['>'] = kEndsName | kEndsAttributeName;
  classes['='] = kEndsAttributeName;
  return classes;
}();

bool IsClass(char c, uint8_t classes) { return (kClasses[static_cast<uint8_t>(c)] & classes) != 0; }

size_t FindByte(std::string_view text, size_t at, char c) {
  if (at >= text.size()) return npos;
  const void* found = std::memchr(text.data() + at, c, text.size() - at);
  return found == nullptr ? npos : static_cast<size_t>(static_cast<const char*>(found) - text.data());
}

// Counts carriage returns too, because a replaced reference may be one.
size_t SpacePrefix(std::string_view text) {
  size_t n = 0;
  while (n < text.size() && IsAsciiWhitespace(text[n])) ++n;
  return n;
}

bool HasItemref(std::string_view html) {
  constexpr std::string_view kName = "itemref";
  return std::search(html.begin(), html.end(), kName.begin(), kName.end(),
                     [](char c, char lower) { return AsciiLower(c) == lower; }) != html.end();
}

}  // namespace

HtmlWild HtmlReader::Run() {
  while (at_ < html_.size() && !is_wild()) {
    size_t tag = FindByte(html_, at_, '<');
    if (tag == npos) tag = html_.size();
    if (tag > at_) WrittenText(at_, tag);
    at_ = tag;
    if (at_ < html_.size() && !is_wild()) Markup();
  }
  if (is_wild()) return wild_;
  token_ = {};
  Handle();
  Flush();
  while (!open_.empty() && !is_wild()) Pop();
  if (moves_id_ && HasItemref(html_)) Wild(HtmlWild::kMisnested);
  if (!is_wild()) Wild(GuardThatMightRefuse(work_, html_));
  return wild_;
}

void HtmlReader::Markup() {
  const char next = at_ + 1 < html_.size() ? html_[at_ + 1] : '\0';
  if (IsAsciiLetter(next)) return Tag(at_ + 1, Kind::kStart);
  if (next == '!') return Declaration();
  if (next == '?') {
    const size_t end = FindByte(html_, at_, '>');
    return Comment(end == npos ? html_.size() : end + 1);
  }
  if (next != '/' || at_ + 2 == html_.size()) {
    // "<" is text here, and so is "</" at the end of the page.
    const size_t end = at_ + (next == '/' ? 2 : 1);
    WrittenText(at_, end);
    at_ = end;
    return;
  }
  if (IsAsciiLetter(html_[at_ + 2])) return Tag(at_ + 2, Kind::kEnd);
  if (html_[at_ + 2] == '>') {
    nothing_ends_at_ = at_ += 3;
    return;
  }
  const size_t end = FindByte(html_, at_, '>');
  Comment(end == npos ? html_.size() : end + 1);
}

void HtmlReader::Declaration() {
  constexpr std::string_view kCdata = "<![CDATA[";
  const std::string_view rest = html_.substr(at_);
  if (rest.starts_with("<!--")) {
    at_ = EndOfComment(html_, at_);
    return Comment(at_);
  }
  if (!open_.empty() && open_.top().space != kHtmlSpace && rest.starts_with(kCdata)) {
    at_ += kCdata.size();
    return CdataSection();
  }
  size_t end = FindByte(html_, at_, '>');
  end = end == npos ? html_.size() : end + 1;
  if (rest.size() >= 9 && EqualsIgnoringAsciiCase(rest.substr(2, 7), "doctype")) return Doctype(end);
  Comment(end);
}

void HtmlReader::Comment(size_t end) {
  if (FindByte(html_.substr(0, end), at_ + 1, '<') != npos && at_ != end) work_.is_odd = true;
  at_ = end;
  ignore_linefeed_ = false;
  LeaveTableText();
  Flush();
  ++work_.nodes;
}

// Only the doctypes of today's HTML, of HTML 4 and of XHTML 1 ask for no quirks with certainty.
void HtmlReader::Doctype(size_t end) {
  const std::string_view doctype = html_.substr(at_ + 9, end - at_ - 9);
  if (FindByte(doctype, 0, '<') != npos) work_.is_odd = true;
  const bool is_first = mode_ == HtmlMode::kInitial;
  at_ = end;
  ignore_linefeed_ = false;
  LeaveTableText();
  if (!is_first) return;
  mode_ = HtmlMode::kBeforeHtml;
  quirks_ = Quirks::kDoubtful;
  if (!doctype.ends_with('>') || doctype.empty() || !IsAsciiWhitespace(doctype.front())) return;
  std::string_view words = StripHtmlSpace(doctype.substr(0, doctype.size() - 1));
  if (words.size() < 4 || !EqualsIgnoringAsciiCase(words.substr(0, 4), "html")) return;
  words.remove_prefix(4);
  if (words.empty()) {
    quirks_ = Quirks::kNo;
    return;
  }
  if (!IsAsciiWhitespace(words.front())) return;
  words = StripHtmlSpace(words);
  if (words.size() < 8 || !EqualsIgnoringAsciiCase(words.substr(0, 7), "public ")) return;
  words = StripHtmlSpace(words.substr(7));
  if (!words.starts_with("\"-//W3C//DTD ")) return;
  const size_t quote = words.find('"', 1);
  if (quote == npos || !words.substr(0, quote).ends_with("//EN") || words.substr(0, quote).ends_with("//EN//EN"))
    return;
  words = StripHtmlSpace(words.substr(quote + 1));
  const bool is_plain =
      words.empty() || (words.size() > 1 && words.front() == '"' && words.find('"', 1) == words.size() - 1);
  if (is_plain && words.find("ibm.com") == npos) quirks_ = Quirks::kNo;
}

void HtmlReader::CdataSection() {
  const size_t end = std::min(html_.find("]]>", at_), html_.size());
  const std::string_view text = html_.substr(at_, end - at_);
  at_ = std::min(end + 3, html_.size());
  if (text.empty()) return;
  work_.is_odd = true;
  ignore_linefeed_ = false;
  AddText(text, true);
}

// Returns false if the tag already has an attribute of that name.
bool HtmlReader::KeepAttribute(std::string_view name, std::string_view value, HtmlElement* into) {
  const uint32_t bit = HtmlNameBit(name);
  if ((into->names & bit) != 0) {
    for (const HtmlAttribute& attribute : into->attributes) {
      if (attribute.name == name) return false;
    }
  }
  into->names |= bit;
  into->attributes.push_back({name, value, true});
  if (into->attributes.size() > kMostAttributes) Wild(HtmlWild::kWork);
  return true;
}

// Reads from the end of a tag's name to after its '>'. Returns false if the page ends first.
bool HtmlReader::ReadAttributes(size_t* at, HtmlElement* into, bool* closes_itself) {
  into->attributes.clear();
  into->names = 0;
  into->references->Clear();
  const char* const begin = html_.data();
  const char* const end = begin + html_.size();
  const char* p = begin + *at;
  std::string_view left;
  while (true) {
    while (p < end && (IsClass(*p, kSpaceByte) || *p == '/')) {
      *closes_itself = *p == '/' && p + 1 < end && p[1] == '>';
      ++p;
    }
    if (p == end || is_wild()) return false;
    if (*p == '>') {
      *at = static_cast<size_t>(p + 1 - begin);
      return true;
    }
    if (*p == '=') work_.is_odd = true;
    const char* const begin_name = p++;
    while (p < end && !IsClass(*p, kEndsAttributeName)) ++p;
    const std::string_view name = into->references->Name(left, {begin_name, static_cast<size_t>(p - begin_name)});
    left = {};
    while (p < end && IsClass(*p, kSpaceByte)) ++p;
    if (p == end) return false;
    if (*p != '=') {
      // gumbo puts the name of a repeated attribute without a value in front of the next name.
      if (!KeepAttribute(name, {}, into)) left = name;
      continue;
    }
    ++p;
    while (p < end && IsClass(*p, kSpaceByte)) ++p;
    if (p == end) return false;
    const char* value = p;
    const char* value_end = p;
    if (*p == '"' || *p == '\'') {
      ++value;
      value_end = static_cast<const char*>(std::memchr(value, *p, static_cast<size_t>(end - value)));
      if (value_end == nullptr) return false;
      p = value_end + 1;
    } else {
      while (p < end && *p != '>' && !IsClass(*p, kSpaceByte)) {
        if (*p == '"' || *p == '\'' || *p == '<') work_.is_odd = true;
        ++p;
      }
      if (p == end) return false;
      value_end = p;
      if (p[-1] == '=') work_.is_odd = true;
    }
    KeepAttribute(name, {value, static_cast<size_t>(value_end - value)}, into);
  }
}

void HtmlReader::Tag(size_t name_at, Kind kind) {
  size_t end = name_at;
  while (end < html_.size() && !IsClass(html_[end], kEndsName)) ++end;
  token_.kind = kind;
  token_.at = static_cast<uint32_t>(at_);
  token_.closes_itself = false;
  token_.tag = static_cast<uint8_t>(gumbo_tagn_enum(html_.data() + name_at, static_cast<unsigned>(end - name_at)));
  if (is_mended_ && html_.substr(name_at, end - name_at).find('\xEF') != npos) return Wild(HtmlWild::kForeign);
  if (nothing_ends_at_ == at_ && (token_.tag == GUMBO_TAG_UNKNOWN || work_.has_foreign)) {
    return Wild(HtmlWild::kForeign);
  }
  if (end < html_.size() && html_[end] == '>') {
    element_.attributes.clear();
    element_.names = 0;
    ++end;
  } else if (!ReadAttributes(&end, &element_, &token_.closes_itself)) {
    // A tag that the page's end cuts off is ignored.
    work_.is_odd = true;
    at_ = html_.size();
    return;
  }
  ++work_.tokens;
  if (kind == Kind::kStart) {
    work_.CountStart(token_.tag, (SetsOf(token_.tag, kHtmlSpace) & kShallow) != 0, token_.tag != GUMBO_TAG_UNKNOWN);
  } else {
    work_.CountEnd(token_.tag);
  }
  work_.attributes += element_.attributes.size();
  // A tag searches the stack a few times at most.
  Spend(open_.size() + formatting_.size());
  work_.most_attributes = std::max<uint64_t>(work_.most_attributes, element_.attributes.size());
  if (token_.tag == GUMBO_TAG_HTML || token_.tag == GUMBO_TAG_BODY) work_.root_bytes += end - at_;
  at_ = end;
  const uint64_t raw_texts = work_.raw_texts;
  Handle();
  if (kind != Kind::kStart || raw_texts != work_.raw_texts) return;
  if (token_.tag == GUMBO_TAG_SCRIPT || token_.tag == GUMBO_TAG_STYLE || token_.tag == GUMBO_TAG_TEXTAREA) {
    work_.is_odd = true;
  }
}

void HtmlReader::Handle() {
  ignore_linefeed_ = false;
  LeaveTableText();
  do {
    reprocess_ = false;
    if (TakesHtmlRules()) {
      HtmlRules();
    } else {
      Foreign();
    }
  } while (reprocess_ && !is_wild());
}

void HtmlReader::WrittenText(size_t from, size_t to) {
  const std::string_view text = html_.substr(from, to - from);
  if (FindByte(text, 0, '&') == npos) return Text(text, true);
  run_.clear();
  if (!AppendSurelyUnescaped(text, false, &run_)) return Wild(HtmlWild::kReference);
  Text(run_, false);
}

// Takes from the front of the text the part that the current mode handles itself. The mode that is set then takes the
// rest.
std::string_view HtmlReader::TextBefore(std::string_view text, bool lives_on) {
  const std::string_view space = text.substr(0, SpacePrefix(text));
  const std::string_view rest = text.substr(space.size());
  switch (mode_) {
    case HtmlMode::kInHead:
      if (!space.empty()) AddText(space, lives_on);
      if (rest.empty()) break;
      Pop();
      mode_ = HtmlMode::kAfterHead;
      break;
    case HtmlMode::kInHeadNoscript:
      if (!space.empty()) AddText(space, lives_on);
      if (rest.empty()) break;
      Pop();
      mode_ = HtmlMode::kInHead;
      break;
    case HtmlMode::kAfterHead:
      if (!space.empty()) AddText(space, lives_on);
      if (rest.empty()) break;
      InsertImplied(GUMBO_TAG_BODY);
      mode_ = HtmlMode::kInBody;
      break;
    case HtmlMode::kAfterBody:
    case HtmlMode::kAfterAfterBody:
      if (!space.empty()) {
        Reconstruct();
        AddText(space, lives_on);
      }
      if (!rest.empty()) mode_ = HtmlMode::kInBody;
      break;
    case HtmlMode::kInColumnGroup:
      if (!space.empty()) AddText(space, lives_on);
      if (rest.empty()) break;
      if (!open_.top().Is(GUMBO_TAG_COLGROUP)) return {};
      Pop();
      mode_ = HtmlMode::kInTable;
      break;
    default:
      if (rest.empty()) break;
      if (mode_ == HtmlMode::kInitial) {
        mode_ = HtmlMode::kBeforeHtml;
      } else if (mode_ == HtmlMode::kBeforeHtml) {
        InsertImplied(GUMBO_TAG_HTML);
        mode_ = HtmlMode::kBeforeHead;
      } else {
        InsertImplied(GUMBO_TAG_HEAD);
        has_head_ = true;
        mode_ = HtmlMode::kInHead;
      }
  }
  return rest;
}

// `lives_on`: the text is a part of the page itself.
void HtmlReader::Text(std::string_view text, bool lives_on) {
  if (ignore_linefeed_) {
    ignore_linefeed_ = false;
    if (text.front() == '\n') text.remove_prefix(1);
  }
  while (!text.empty() && !is_wild()) {
    if (!open_.empty() && open_.top().space != kHtmlSpace && !open_.top().IsIn(kHtmlPoint | kMathPoint)) {
      return AddText(text, lives_on);
    }
    switch (mode_) {
      case HtmlMode::kInBody:
      case HtmlMode::kInCaption:
      case HtmlMode::kInCell:
      case HtmlMode::kInTemplate:
        Reconstruct();
        return AddText(text, lives_on);
      case HtmlMode::kInSelect:
      case HtmlMode::kInSelectInTable:
        return AddText(text, lives_on);
      case HtmlMode::kInTable:
      case HtmlMode::kInTableBody:
      case HtmlMode::kInRow:
        return TableText(text, lives_on);
      default:
        text = TextBefore(text, lives_on);
    }
  }
}

void HtmlReader::TableText(std::string_view text, bool lives_on) {
  // gumbo assumes that no text is pending here.
  if (!in_table_text_ && !pending_.empty()) return Wild(HtmlWild::kAssertion);
  in_table_text_ = true;
  AddText(text, lives_on);
}

void HtmlReader::LeaveTableText() {
  if (!in_table_text_) return;
  in_table_text_ = false;
  if (SpacePrefix(pending_) < pending_.size()) {
    if (inert_ == 0) return Wild(HtmlWild::kFostered);
    Reconstruct();
  }
  Flush();
}

}  // namespace trawl
