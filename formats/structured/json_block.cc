#include "formats/structured/json_block.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "formats/text/ascii.h"
#include "formats/text/utf8.h"

namespace trawl {
namespace {

constexpr size_t npos = std::string_view::npos;

enum Repair : uint8_t { kBlanks, kWrapper, kSemicolon, kControls, kCommas, kComments, kFirst };
constexpr std::string_view kRepairNames[] = {"blanks", "wrapper",  "semicolon", "controls",
                                             "commas", "comments", "first"};

bool IsJsonSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// The size of the character at the front, if it is a blank or control character that JSON does not know; otherwise 0.
size_t OddBlankPrefix(std::string_view text) {
  // Byte order mark, no-break space, zero-width and line separators, ideographic space.
  constexpr std::string_view kOddBlanks[] = {"\xEF\xBB\xBF", "\xC2\xA0",     "\xE2\x80\x8B", "\xE2\x80\x8C",
                                             "\xE2\x80\x8D", "\xE2\x80\x8E", "\xE2\x80\x8F", "\xE2\x80\xA8",
                                             "\xE2\x80\xA9", "\xE2\x81\xA0", "\xE3\x80\x80"};
  if (text.empty()) return 0;
  const auto byte = static_cast<uint8_t>(text.front());
  if (byte < 0x20 || byte == 0x7F) return 1;
  if (byte < 0x80) return 0;
  for (const std::string_view blank : kOddBlanks) {
    if (text.starts_with(blank)) return blank.size();
  }
  return 0;
}

// One pass over the bytes. It knows where strings begin and end, so a "//" in a URL is no comment.
class JsonScanner {
 public:
  JsonScanner(std::string_view text, bool mends) : text_(text), mends_(mends) {}

  bool Run(ItemValue* value) {
    if (mends_) FindFrontComments();
    SkipBetween(&JsonScanner::OpenWrapper);
    if (!Value(value, 0)) return false;
    SkipBetween(&JsonScanner::CloseWrapper);
    if (at_ == text_.size()) return true;
    if (!mends_) return Fail("something after the value");
    Mend(kFirst);
    return true;
  }

  std::string Problem() const { return std::string(problem_) + " at byte " + std::to_string(at_); }
  std::string Repairs() const {
    std::string names;
    for (size_t i = 0; i < std::size(kRepairNames); ++i) {
      if ((repairs_ >> i & 1) == 0) continue;
      if (!names.empty()) names.push_back(' ');
      names += kRepairNames[i];
    }
    return names;
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  bool Fail(std::string_view problem) {
    problem_ = problem;
    return false;
  }
  void Mend(Repair repair) { repairs_ |= static_cast<uint8_t>(1U << repair); }
  bool Is(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool Take(std::string_view word) {
    if (!rest().starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  bool TakeAsRepair(std::string_view word, Repair repair) {
    if (!Take(word)) return false;
    Mend(repair);
    return true;
  }

  // Wrappers and comments may follow each other in any order.
  void SkipBetween(void (JsonScanner::*skip_wrapper)()) {
    size_t before;
    do {
      before = at_;
      if (mends_) (this->*skip_wrapper)();
      SkipBlanks();
    } while (mends_ && at_ != before);
  }

  void SkipBlanks() {
    while (at_ < text_.size()) {
      if (IsJsonSpace(text_[at_])) {
        ++at_;
      } else if (!mends_ || !SkipOddity()) {
        return;
      }
    }
  }

  bool SkipOddity() {
    if (const size_t odd = OddBlankPrefix(rest()); odd > 0) {
      at_ += odd;
      Mend(kBlanks);
      return true;
    }
    if (rest().starts_with("//")) return SkipComment(std::min(text_.find('\n', at_), text_.size()));
    if (rest().starts_with("/*")) return SkipCommentTo("*/");
    return rest().starts_with("<!--") && SkipCommentTo("-->");
  }
  bool SkipCommentTo(std::string_view end) {
    const size_t found = text_.find(end, at_ + 2);
    return found != npos && SkipComment(found + end.size());
  }
  // A comment may have no other purpose than to hide a wrapper from an old reader.
  bool SkipComment(size_t end) {
    const std::string_view comment = text_.substr(at_, end - at_);
    const bool hides = comment.find("CDATA[") != npos || comment.find("]]>") != npos ||
                       (comment.find("-->") != npos && !comment.starts_with("<!--"));
    Mend(hides ? kWrapper : kComments);
    at_ = end;
    return true;
  }

  // What is in front of the value on its own line belongs to the wrapper, even after "//".
  void OpenWrapper() {
    while (true) {
      SkipJsonAndOddBlanks();
      const size_t before = at_;
      const bool is_hidden = Take("//");
      if (is_hidden) SkipSpacesOfLine();
      if (TakeAsRepair("<![CDATA[", kWrapper)) continue;
      if (IsOpenComment() && TakeAsRepair("<!--", kWrapper)) continue;
      at_ = before;
      return;
    }
  }
  void FindFrontComments() {
    const size_t end = text_.substr(0, text_.find_first_of("{[")).rfind("-->");
    if (end != npos) front_comments_end_ = end;
  }
  // Whether "<!--" begins a wrapper: a comment that ends before any value is just a comment.
  bool IsOpenComment() const { return rest().starts_with("<!--") && at_ + 4 > front_comments_end_; }
  void CloseWrapper() {
    while (true) {
      SkipJsonAndOddBlanks();
      const size_t before = at_;
      if (TakeAsRepair(";", kSemicolon)) continue;
      if (Take("//")) SkipSpacesOfLine();
      if (TakeAsRepair("]]>", kWrapper) || TakeAsRepair("-->", kWrapper)) continue;
      at_ = before;
      return;
    }
  }
  void SkipSpacesOfLine() {
    while (Is(' ') || Is('\t')) ++at_;
  }
  void SkipJsonAndOddBlanks() {
    while (at_ < text_.size()) {
      const size_t odd = IsJsonSpace(text_[at_]) ? 0 : OddBlankPrefix(rest());
      if (!IsJsonSpace(text_[at_]) && odd == 0) return;
      if (odd > 0) Mend(kBlanks);
      at_ += std::max<size_t>(odd, 1);
    }
  }

  bool Value(ItemValue* value, int depth) {
    if (++values_ > kMostBlockValues) return Fail("more than 100,000 values");
    if (at_ == text_.size()) return Fail("a value is missing");
    switch (text_[at_]) {
      case '{':
        return Object(value, depth + 1);
      case '[':
        return Array(value, depth + 1);
      case '"':
        value->kind = ItemValue::Kind::kString;
        return String(&value->text);
      default:
        break;
    }
    if (Take("true")) {
      value->kind = ItemValue::Kind::kTrue;
    } else if (Take("false")) {
      value->kind = ItemValue::Kind::kFalse;
    } else if (Take("null")) {
      value->kind = ItemValue::Kind::kNull;
    } else {
      return Number(value);
    }
    return true;
  }

  // After an element or member: true while more follow. *ended if the list is over.
  bool Next(char close, bool* ended) {
    SkipBlanks();
    *ended = true;
    if (Is(close)) {
      ++at_;
      return true;
    }
    if (!Is(',')) return Fail(close == ']' ? "a comma or ] is missing" : "a comma or } is missing");
    ++at_;
    SkipBlanks();
    if (mends_ && Is(close)) {
      ++at_;
      Mend(kCommas);
      return true;
    }
    *ended = false;
    return true;
  }

  bool Array(ItemValue* value, int depth) {
    value->kind = ItemValue::Kind::kArray;
    if (depth > kMostItemDepth) return Fail("more than 64 levels");
    ++at_;
    SkipBlanks();
    if (Take("]")) return true;
    for (bool ended = false; !ended;) {
      if (!Value(&value->parts.emplace_back(), depth) || !Next(']', &ended)) return false;
    }
    return true;
  }

  bool Object(ItemValue* value, int depth) {
    value->kind = ItemValue::Kind::kObject;
    if (depth > kMostItemDepth) return Fail("more than 64 levels");
    ++at_;
    SkipBlanks();
    if (Take("}")) return true;
    for (bool ended = false; !ended;) {
      ItemValue& member = value->parts.emplace_back();
      if (!Is('"')) return Fail("a name in quotes is missing");
      if (!String(&member.name)) return false;
      SkipBlanks();
      if (!Take(":")) return Fail("a colon is missing");
      SkipBlanks();
      if (!Value(&member, depth) || !Next('}', &ended)) return false;
    }
    SortMembers(value);
    return true;
  }

  bool String(std::string* out) {
    ++at_;
    while (true) {
      const size_t from = at_;
      while (at_ < text_.size() && static_cast<uint8_t>(text_[at_]) >= 0x20 && text_[at_] != '"' &&
             text_[at_] != '\\') {
        ++at_;
      }
      out->append(text_.substr(from, at_ - from));
      if (at_ == text_.size()) return Fail("a string has no end");
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (c == '\\') {
        if (!Escape(out)) return false;
        continue;
      }
      if (!mends_) return Fail("a control character in a string");
      Mend(kControls);
      out->push_back(c);
      ++at_;
    }
  }

  bool Escape(std::string* out) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const char letter = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (letter == 'u') {
      uint32_t unit = 0;
      if (!Unit(at_, &unit)) return Fail("a wrong escape");
      at_ += 6;
      uint32_t low = 0;
      if (unit >= 0xD800 && unit < 0xDC00 && Unit(at_, &low) && low >= 0xDC00 && low < 0xE000) {
        at_ += 6;
        unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
      }
      AppendCodePoint(unit, out);
      return true;
    }
    const size_t index = letter == '\0' ? npos : kLetters.find(letter);
    if (index == npos) return Fail("a wrong escape");
    out->push_back(kMeanings[index]);
    at_ += 2;
    return true;
  }
  // The number in "\uXXXX" at `at`.
  bool Unit(size_t at, uint32_t* unit) const {
    if (at + 6 > text_.size() || text_[at] != '\\' || text_[at + 1] != 'u') return false;
    *unit = 0;
    for (size_t i = at + 2; i < at + 6; ++i) {
      const int digit = HexDigitValue(text_[i]);
      if (digit < 0) return false;
      *unit = *unit << 4 | static_cast<uint32_t>(digit);
    }
    return true;
  }

  bool Digits() {
    const size_t from = at_;
    while (at_ < text_.size() && IsAsciiDigit(text_[at_])) ++at_;
    return at_ > from;
  }
  bool Number(ItemValue* value) {
    const size_t from = at_;
    Take("-");
    const bool is_zero = Is('0');
    const size_t digits = at_;
    if (!Digits()) return Fail("a value is missing");
    if (is_zero && at_ > digits + 1) return Fail("a number begins with 0");
    if (Take(".") && !Digits()) return Fail("a number ends with a point");
    if (Is('e') || Is('E')) {
      ++at_;
      if (Is('+') || Is('-')) ++at_;
      if (!Digits()) return Fail("a number ends with an exponent's sign");
    }
    value->kind = ItemValue::Kind::kNumber;
    value->text = text_.substr(from, at_ - from);
    return true;
  }

  const std::string_view text_;
  const bool mends_;
  size_t at_ = 0;
  // The last "-->" before the first object or list.
  size_t front_comments_end_ = 0;
  size_t values_ = 0;
  uint8_t repairs_ = 0;
  std::string_view problem_;
};

}  // namespace

JsonBlock ReadJsonBlock(std::string_view utf8) {
  JsonBlock block;
  if (utf8.size() > kMostBlockBytes) {
    block.problem = "larger than 1 MiB";
    return block;
  }
  if (utf8.find_first_not_of(" \t\n\r\f") == npos) {
    block.problem = "empty";
    return block;
  }
  JsonScanner strict(utf8, false);
  if (strict.Run(&block.value.emplace())) return block;
  JsonScanner mending(utf8, true);
  if (!mending.Run(&block.value.emplace())) {
    block.value.reset();
    block.problem = mending.Problem();
  } else if (!block.value->is_object() && !block.value->is_array()) {
    // The front of any text may happen to be a number.
    block.value.reset();
    block.problem = strict.Problem();
  } else {
    block.repaired = mending.Repairs();
  }
  return block;
}

}  // namespace trawl
