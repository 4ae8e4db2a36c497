#include "formats/markup/rename.h"

#include "formats/markup/markup.h"
#include "formats/markup/tags.h"

namespace trawl {
namespace {

struct Renamed {
  std::string_view name;
  // A name of the same length.
  std::string_view parsed_as;
  bool with_scripting_only;
};
constexpr Renamed kRenamed[] = {
    {"noscript", "noframes", true}, {"isindex", "isindez", false}, {"menuitem", "menuitez", false},
    {"dialog", "center", false},    {"search", "center", false},
};

}  // namespace

HtmlRenaming::HtmlRenaming(std::string_view html, bool scripting) : html_(html) {
  size_t at = 0;
  while ((at = html_.find('<', at)) != std::string_view::npos) {
    if (html_.substr(at).starts_with("<!--")) {
      at = EndOfComment(html_, at);
      continue;
    }
    const bool is_end = at + 1 < html_.size() && html_[at + 1] == '/';
    const size_t name_at = at + (is_end ? 2 : 1);
    size_t end = name_at;
    while (end < html_.size() && !IsAsciiWhitespace(html_[end]) && html_[end] != '/' && html_[end] != '>') ++end;
    if (end == name_at || !IsAsciiLetter(html_[name_at])) {
      ++at;
      continue;
    }
    const std::string_view name = html_.substr(name_at, end - name_at);
    RenameTag(name_at, name.size(), is_end, scripting);
    const HtmlContent content = TraitsOfName(name).content;
    const bool is_raw = content == HtmlContent::kRawText || content == HtmlContent::kEscapableRawText ||
                        (scripting && EqualsIgnoringAsciiCase(name, "noscript"));
    at = !is_end && is_raw ? FindEndTag(html_, end, AsciiLower(name)) : end;
  }
}

void HtmlRenaming::RenameTag(size_t name_at, size_t name_size, bool is_end, bool scripting) {
  for (const Renamed& renamed : kRenamed) {
    if (!EqualsIgnoringAsciiCase(html_.substr(name_at, name_size), renamed.name)) continue;
    if (renamed.with_scripting_only && !scripting) continue;
    if (copy_.empty()) copy_ = html_;
    copy_.replace(name_at, name_size, renamed.parsed_as);
    if (!is_end) names_[name_at - 1] = renamed.name;
  }
}

std::string HtmlRenaming::NameAt(const char* tag) const {
  if (names_.empty() || tag == nullptr || tag < copy_.data() || tag >= copy_.data() + copy_.size()) return {};
  const auto found = names_.find(static_cast<size_t>(tag - copy_.data()));
  return found == names_.end() ? std::string() : found->second;
}

}  // namespace trawl
