#include "formats/content/markdown_inline.h"

#include <algorithm>
#include <utility>

#include "formats/markup/markup.h"

namespace trawl {
namespace {

bool IsWordByte(char c) { return IsAsciiLetter(c) || IsAsciiDigit(c) || static_cast<uint8_t>(c) >= 0x80; }

// Whether a character reference begins there, so that "&" must not stay.
bool IsReference(std::string_view text, size_t at) {
  constexpr size_t kMostBytes = 40;
  for (size_t i = at + 1; i < text.size() && i < at + kMostBytes; ++i) {
    if (text[i] == ';') return i > at + 1;
    if (!IsAsciiLetter(text[i]) && !IsAsciiDigit(text[i]) && text[i] != '#') return false;
  }
  return false;
}

// How many bytes at the beginning of a line would make it a list, a heading or a rule; the last of them is escaped.
size_t LineMarker(std::string_view text) {
  if (text.empty()) return 0;
  switch (text[0]) {
    case '#':
    case '+':
    case '-':
    case '=':
    case ':':
    case '|':
      return 1;
    default:
      break;
  }
  size_t digits = 0;
  while (digits < text.size() && digits < 10 && IsAsciiDigit(text[digits])) ++digits;
  if (digits == 0 || digits == text.size()) return 0;
  return text[digits] == '.' || text[digits] == ')' ? digits + 1 : 0;
}

size_t GapBytes(std::string_view text, size_t at) {
  if (IsAsciiWhitespace(text[at])) return 1;
  return text.substr(at, 2) == "\xC2\xA0" ? 2 : 0;
}

size_t LongestRun(std::string_view text, char of) {
  size_t longest = 0;
  size_t run = 0;
  for (const char c : text) {
    run = c == of ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

// Of "\n" a space, in a table also "|" escaped.
std::string CodeSpan(std::string_view code, bool in_table) {
  const std::string fence(LongestRun(code, '`') + 1, '`');
  std::string span = fence;
  const bool needs_space = code.front() == '`' || code.back() == '`';
  if (needs_space) span += ' ';
  for (const char c : code) {
    if (c == '|' && in_table) span += '\\';
    span += c;
  }
  if (needs_space) span += ' ';
  return span + fence;
}

}  // namespace

std::string EscapedMarkdown(std::string_view text, bool is_start, bool in_table) {
  std::string escaped;
  const size_t marker = is_start ? LineMarker(text) : 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    bool escapes = false;
    switch (c) {
      case '\\':
      case '`':
      case '*':
      case '[':
      case ']':
      case '<':
      case '>':
      case '~':
        escapes = true;
        break;
      case '_':
        escapes = i == 0 || i + 1 == text.size() || !IsWordByte(text[i - 1]) || !IsWordByte(text[i + 1]);
        break;
      case '&':
        escapes = IsReference(text, i);
        break;
      case '|':
        escapes = in_table;
        break;
      case '!':
        escapes = i + 1 == text.size();  // a link may follow
        break;
      default:
        break;
    }
    if (escapes || i + 1 == marker) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string MarkdownTarget(std::string_view url) {
  const bool in_brackets = url.find_first_of("() ") != std::string_view::npos;
  std::string target = in_brackets ? "<" : "";
  for (size_t i = 0; i < url.size(); ++i) {
    const char c = url[i];
    if (c == '\\' || c == '<' || c == '>' || c == '|' || (c == '&' && IsReference(url, i))) target += '\\';
    target += c;
  }
  return in_brackets ? target + ">" : target;
}

void MarkdownInline::Gap() {
  if (breaks_ > 0 && !text_.empty()) {
    text_ += in_table_ ? " " : "\\\n";
  } else if (has_gap_ && !text_.empty() && link_at_ <= text_.size()) {
    text_ += ' ';
  }
  breaks_ = 0;
  has_gap_ = false;
}

void MarkdownInline::Text(std::string_view utf8) {
  for (size_t at = 0; at < utf8.size();) {
    if (const size_t gap = GapBytes(utf8, at); gap > 0) {
      if (in_code_ > 0 && !code_.empty()) {
        if (code_.back() != ' ') code_ += ' ';
      } else {
        Space();
      }
      at += gap;
      continue;
    }
    size_t end = at;
    while (end < utf8.size() && GapBytes(utf8, end) == 0) ++end;
    const std::string_view word = utf8.substr(at, end - at);
    at = end;
    if (in_code_ > 0) {
      code_ += word;
      continue;
    }
    const bool opens_link = !link_.empty() && link_at_ == text_.size() && (text_.empty() || has_gap_ || breaks_ > 0);
    Gap();
    if (opens_link) link_at_ = text_.size();
    const bool is_start = text_.empty() || text_.back() == '\n';
    text_ += EscapedMarkdown(word, is_start && (link_.empty() || link_at_ != text_.size()), in_table_);
  }
}

void MarkdownInline::Break() {
  if (in_code_ > 0) {
    if (!code_.empty() && code_.back() != ' ') code_ += ' ';
  } else if (!text_.empty()) {
    ++breaks_;
  }
}

void MarkdownInline::Image(std::string_view url, std::string_view alternative) {
  const bool opens_link = !link_.empty() && link_at_ == text_.size();
  Gap();
  if (opens_link) link_at_ = text_.size();
  std::string words;
  for (const std::string_view word : SplitWords(alternative, " \t\n\f\r"))
    words += (words.empty() ? "" : " ") + std::string(word);
  text_ += "![" + EscapedMarkdown(words, false, in_table_) + "](" + MarkdownTarget(url) + ")";
}

void MarkdownInline::OpenLink(std::string url) {
  EndLink();
  link_ = std::move(url);
  link_at_ = text_.size();
}

void MarkdownInline::CloseLink() {
  EndLink();
  link_.clear();
}

void MarkdownInline::EndLink() {
  if (link_.empty() || link_at_ >= text_.size()) return;
  text_.insert(link_at_, "[");
  text_ += "](" + MarkdownTarget(link_) + ")";
  link_at_ = text_.size();
}

void MarkdownInline::CloseCode() {
  if (in_code_ == 0 || --in_code_ > 0) return;
  while (!code_.empty() && code_.back() == ' ') code_.pop_back();
  if (code_.empty()) return;
  const bool opens_link = !link_.empty() && link_at_ == text_.size();
  Gap();
  if (opens_link) link_at_ = text_.size();
  // Two runs of backticks that touch would be one.
  if (!text_.empty() && text_.back() == '`') text_ += ' ';
  text_ += CodeSpan(code_, in_table_);
  code_.clear();
}

std::string MarkdownInline::Take() {
  if (in_code_ > 0) {
    const int open = std::exchange(in_code_, 1);
    CloseCode();
    in_code_ = open;
  }
  EndLink();
  link_at_ = 0;
  has_gap_ = false;
  breaks_ = 0;
  return std::exchange(text_, std::string());
}

}  // namespace trawl
