#include "formats/charset/prescan.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "formats/charset/labels.h"
#include "formats/markup/markup.h"
#include "formats/text/ascii.h"

namespace trawl {
namespace {

bool StartsWithIgnoringCase(std::string_view text, std::string_view lower) {
  return EqualsIgnoringAsciiCase(text.substr(0, lower.size()), lower);
}

struct Attribute {
  std::string name;
  std::string value;
};

// Reads attributes as "get an attribute" of 13.2.3.2 does. Where the bytes run out, the whole prescan ends:
// `exhausted`.
class AttributeReader {
 public:
  AttributeReader(std::string_view bytes, size_t at) : bytes_(bytes), at_(at) {}

  size_t at() const { return at_; }
  bool exhausted() const { return exhausted_; }

  // False at the end of the tag.
  bool Next(Attribute* attribute) {
    *attribute = {};
    while (More() && (IsAsciiWhitespace(bytes_[at_]) || bytes_[at_] == '/')) ++at_;
    if (!More() || bytes_[at_] == '>') return false;
    if (ReadName(attribute)) ReadValue(attribute);
    return !exhausted_;
  }

 private:
  bool More() {
    if (at_ >= bytes_.size()) exhausted_ = true;
    return !exhausted_;
  }

  void SkipSpaces() {
    while (More() && IsAsciiWhitespace(bytes_[at_])) ++at_;
  }

  // True where a value follows the name.
  bool ReadName(Attribute* attribute) {
    while (More()) {
      const char c = bytes_[at_];
      if (c == '=' && !attribute->name.empty()) {
        ++at_;
        return true;
      }
      if (c == '/' || c == '>') return false;
      if (IsAsciiWhitespace(c)) {
        SkipSpaces();
        if (!More() || bytes_[at_] != '=') return false;
        ++at_;
        return true;
      }
      attribute->name.push_back(AsciiLower(c));
      ++at_;
    }
    return false;
  }

  void ReadValue(Attribute* attribute) {
    SkipSpaces();
    if (!More()) return;
    const char quote = bytes_[at_];
    if (quote == '"' || quote == '\'') {
      for (++at_; More() && bytes_[at_] != quote; ++at_) attribute->value.push_back(AsciiLower(bytes_[at_]));
      ++at_;
      return;
    }
    while (More() && !IsAsciiWhitespace(bytes_[at_]) && bytes_[at_] != '>')
      attribute->value.push_back(AsciiLower(bytes_[at_++]));
  }

  std::string_view bytes_;
  size_t at_;
  bool exhausted_ = false;
};

// The attributes of one meta element.
class MetaElement {
 public:
  // The first of several attributes with one name counts.
  void Take(const Attribute& attribute) {
    if (attribute.name == "http-equiv" && !std::exchange(seen_http_equiv_, true)) {
      got_pragma_ = attribute.value == "content-type";
    } else if (attribute.name == "content" && !std::exchange(seen_content_, true)) {
      const std::string_view found = EncodingFromMetaContent(attribute.value);
      if (found.empty() || need_pragma_ != Need::kUnknown) return;
      encoding_ = found;
      need_pragma_ = Need::kYes;
    } else if (attribute.name == "charset" && !std::exchange(seen_charset_, true)) {
      encoding_ = EncodingForLabel(attribute.value);
      need_pragma_ = Need::kNo;
    }
  }

  // Empty where the element declares no encoding.
  std::string_view Encoding() const {
    if (need_pragma_ == Need::kUnknown || (need_pragma_ == Need::kYes && !got_pragma_)) return {};
    if (encoding_ == "UTF-16LE" || encoding_ == "UTF-16BE") return "UTF-8";
    if (encoding_ == "x-user-defined") return "windows-1252";
    return encoding_;
  }

 private:
  enum class Need { kUnknown, kNo, kYes };
  bool seen_http_equiv_ = false;
  bool seen_content_ = false;
  bool seen_charset_ = false;
  bool got_pragma_ = false;
  Need need_pragma_ = Need::kUnknown;
  std::string_view encoding_;
};

size_t EndOfMarkup(std::string_view bytes, size_t at) {
  const size_t end = bytes.find('>', at);
  return end == std::string_view::npos ? bytes.size() : end + 1;
}

bool IsMetaTag(std::string_view tag) {
  return StartsWithIgnoringCase(tag, "<meta") && tag.size() > 5 && (IsAsciiWhitespace(tag[5]) || tag[5] == '/');
}

bool IsTag(std::string_view tag) {
  const size_t name = tag.size() > 1 && tag[1] == '/' ? 2 : 1;
  return tag.size() > name && IsAsciiLetter(tag[name]);
}

std::string_view Utf16DeclarationEncoding(std::string_view body) {
  using namespace std::string_view_literals;
  if (body.starts_with("<\0?\0x\0"sv)) return "UTF-16LE";
  if (body.starts_with("\0<\0?\0x"sv)) return "UTF-16BE";
  return {};
}

// The end of the text of an element whose content is not markup; for any other element, the end of its start tag.
// `name` is lower case; `at` is just after the start tag.
size_t EndOfRawText(std::string_view bytes, size_t at, std::string_view name) {
  static constexpr std::string_view kRawText[] = {"script", "style",  "title",   "textarea",
                                                  "xmp",    "iframe", "noembed", "noframes"};
  const bool is_raw = std::find(std::begin(kRawText), std::end(kRawText), name) != std::end(kRawText);
  return is_raw ? FindEndTag(bytes, std::min(at, bytes.size()), name) : at;
}

// The prescan of 13.2.3.2. `as_parser` skips what a parser takes for text.
std::string_view Prescan(std::string_view bytes, bool as_parser) {
  size_t at = 0;
  while ((at = bytes.find('<', at)) != std::string_view::npos) {
    const std::string_view rest = bytes.substr(at);
    if (rest.starts_with("<!--")) {
      at = EndOfComment(bytes, at);
      continue;
    }
    const bool is_meta = IsMetaTag(rest);
    if (!is_meta && !IsTag(rest)) {
      const bool is_markup = rest.size() > 1 && (rest[1] == '!' || rest[1] == '/' || rest[1] == '?');
      at = is_markup ? EndOfMarkup(bytes, at) : at + 1;
      continue;
    }
    const size_t name_end = is_meta ? at + 5 : std::min(bytes.find_first_of("\t\n\f\r >", at), bytes.size());
    AttributeReader reader(bytes, name_end);
    MetaElement meta;
    Attribute attribute;
    while (reader.Next(&attribute)) {
      if (is_meta) meta.Take(attribute);
    }
    if (reader.exhausted()) return {};
    if (is_meta && !meta.Encoding().empty()) return meta.Encoding();
    const std::string_view name = bytes.substr(at + 1, name_end - at - 1);
    at = reader.at() + 1;
    if (as_parser) at = EndOfRawText(bytes, at, AsciiLower(name.substr(0, 16)));
  }
  return {};
}

}  // namespace

std::string_view EncodingFromMetaContent(std::string_view content) {
  size_t at = 0;
  while (true) {
    while (at < content.size() && !StartsWithIgnoringCase(content.substr(at), "charset")) ++at;
    if (at >= content.size()) return {};
    at += 7;
    while (at < content.size() && IsAsciiWhitespace(content[at])) ++at;
    if (at < content.size() && content[at] == '=') break;
  }
  ++at;
  while (at < content.size() && IsAsciiWhitespace(content[at])) ++at;
  if (at == content.size()) return {};
  if (content[at] == '"' || content[at] == '\'') {
    const size_t end = content.find(content[at], at + 1);
    return end == std::string_view::npos ? std::string_view() : EncodingForLabel(content.substr(at + 1, end - at - 1));
  }
  size_t end = at;
  while (end < content.size() && !IsAsciiWhitespace(content[end]) && content[end] != ';') ++end;
  return EncodingForLabel(content.substr(at, end - at));
}

std::string_view EncodingFromMeta(std::string_view body) {
  const std::string_view found = Prescan(body.substr(0, kPrescanBytes), false);
  return found.empty() && body.size() > kPrescanBytes ? Prescan(body.substr(0, kLateMetaBytes), true) : found;
}

std::string_view EncodingFromXmlDeclaration(std::string_view body) {
  if (const std::string_view utf16 = Utf16DeclarationEncoding(body); !utf16.empty()) return utf16;
  if (!body.starts_with("<?xml")) return {};
  const size_t end = body.substr(0, kPrescanBytes).find('>');
  if (end == std::string_view::npos) return {};
  const std::string_view declaration = body.substr(0, end);
  size_t at = declaration.find("encoding");
  if (at == std::string_view::npos) return {};
  at += 8;
  const auto skip_spaces = [&] {
    while (at < declaration.size() && static_cast<uint8_t>(declaration[at]) <= 0x20) ++at;
  };
  skip_spaces();
  if (at >= declaration.size() || declaration[at++] != '=') return {};
  skip_spaces();
  if (at >= declaration.size() || (declaration[at] != '"' && declaration[at] != '\'')) return {};
  const size_t close = declaration.find(declaration[at], at + 1);
  if (close == std::string_view::npos) return {};
  const std::string_view label = declaration.substr(at + 1, close - at - 1);
  for (const char c : label) {
    if (static_cast<uint8_t>(c) <= 0x20) return {};
  }
  const std::string_view encoding = EncodingForLabel(label);
  return encoding == "UTF-16LE" || encoding == "UTF-16BE" ? "UTF-8" : encoding;
}

}  // namespace trawl
