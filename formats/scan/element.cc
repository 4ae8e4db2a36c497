#include "formats/scan/element.h"

#include <algorithm>

#include "formats/markup/entities.h"
#include "formats/text/ascii.h"

namespace trawl {

std::string& HtmlReferences::Next() {
  if (used_ == strings_.size()) strings_.emplace_back();
  std::string& next = strings_[used_++];
  next.clear();
  return next;
}

std::string_view HtmlReferences::Replace(std::string_view written) {
  if (written.find('&') == std::string_view::npos) return written;
  std::string& text = Next();
  if (!AppendSurelyUnescaped(written, true, &text)) is_unsure_ = true;
  return text;
}

std::string_view HtmlReferences::Name(std::string_view front, std::string_view name) {
  const bool has_upper = std::any_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  if (front.empty() && !has_upper) return name;
  std::string& whole = Next();
  whole = front;
  for (const char c : name) whole.push_back(AsciiLower(c));
  return whole;
}

const std::string_view* HtmlElement::Search(std::string_view name) const {
  for (HtmlAttribute& attribute : attributes) {
    if (attribute.name != name) continue;
    if (attribute.is_written) {
      attribute.value = references->Replace(attribute.value);
      attribute.is_written = false;
    }
    return &attribute.value;
  }
  return nullptr;
}

}  // namespace trawl
