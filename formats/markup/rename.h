// Tags that gumbo knows by rules which the HTML Standard has since changed, parsed under the name of an element that
// has the rules of today, and called by their own name again: for html_dump.cc.
//
//   noscript   with scripting enabled its content is raw text, as that of noframes is
//   isindex    an element like any other; gumbo makes a form of it
//   menuitem   an element like any other; gumbo closes it at once
//   dialog, search   end a paragraph, as center does
//
// What differs between the two names elsewhere is left: <noscript> between head and body goes to the head.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace trawl {

class HtmlRenaming {
 public:
  // Views `html` where nothing in it is renamed: it must outlive the object.
  HtmlRenaming(std::string_view html, bool scripting);
  HtmlRenaming(const HtmlRenaming&) = delete;
  HtmlRenaming& operator=(const HtmlRenaming&) = delete;

  // The page to parse, of the same length.
  std::string_view html() const { return copy_.empty() ? html_ : copy_; }
  // The true name of the element whose tag begins at that byte of html(); empty where it is what it says.
  std::string NameAt(const char* tag) const;

 private:
  void RenameTag(size_t name_at, size_t name_size, bool is_end, bool scripting);

  std::string_view html_;
  std::string copy_;
  std::map<size_t, std::string> names_;
};

}  // namespace trawl
