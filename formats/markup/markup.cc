#include "formats/markup/markup.h"

#include <algorithm>

namespace trawl {

std::vector<std::string_view> SplitWords(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> words;
  size_t at = 0;
  while ((at = text.find_first_not_of(separators, at)) != std::string_view::npos) {
    const size_t end = std::min(text.find_first_of(separators, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

size_t EndOfComment(std::string_view html, size_t at) {
  const std::string_view body = html.substr(at + 2);  // the dashes of "<!--" may also be those of "-->"
  for (size_t dashes = 0; (dashes = body.find("--", dashes)) != std::string_view::npos; ++dashes) {
    const std::string_view end = body.substr(dashes + 2);
    if (end.starts_with('>')) return at + 2 + dashes + 3;
    if (end.starts_with("!>") && dashes >= 2) return at + 2 + dashes + 4;
  }
  return html.size();
}

size_t FindEndTag(std::string_view html, size_t at, std::string_view lower_name) {
  while ((at = html.find("</", at)) != std::string_view::npos) {
    const std::string_view rest = html.substr(at + 2);
    if (rest.size() > lower_name.size() && EqualsIgnoringAsciiCase(rest.substr(0, lower_name.size()), lower_name)) {
      const char next = rest[lower_name.size()];
      if (IsAsciiWhitespace(next) || next == '/' || next == '>') return at;
    }
    at += 2;
  }
  return html.size();
}

}  // namespace trawl
