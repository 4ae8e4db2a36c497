// Tags whose rules the HTML Standard has changed since gumbo was written: for dump.cc. They are parsed under the name
// of an element that has today's rules, and then get their own name again.
//
//   noscript   with scripting enabled its content is raw text, like that of noframes
//   isindex    an element like any other; gumbo makes a form of it
//   menuitem   an element like any other; gumbo closes it at once
//   dialog, search   end a paragraph, as center does
//
// Other differences between the two names stay: <noscript> between head and body goes to the head.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace trawl {

class HtmlRenaming {
 public:
  // Views `html` if nothing in it is renamed, so `html` must outlive the object.
  HtmlRenaming(std::string_view html, bool scripting);
  HtmlRenaming(const HtmlRenaming&) = delete;
  HtmlRenaming& operator=(const HtmlRenaming&) = delete;

  // The page to parse. It has the same length as the original.
  std::string_view html() const { return copy_.empty() ? html_ : copy_; }
  // The true name of the element whose tag begins at that byte of html(); empty if the tag has its true name there.
  std::string NameAt(const char* tag) const;

 private:
  void RenameTag(size_t name_at, size_t name_size, bool is_end, bool scripting);

  std::string_view html_;
  std::string copy_;
  std::map<size_t, std::string> names_;
};

}  // namespace trawl
