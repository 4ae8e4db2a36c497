// The page as gumbo's input stream has it (HTML Standard 13.2.3.5): line ends are line feeds, and U+FFFD stands for
// each control character and noncharacter. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace trawl {

struct HtmlBytes {
  // A view of the page itself, or of `*storage` if something had to be replaced.
  std::string_view text;
  bool has_nul = false;
  // Something other than line ends was replaced.
  bool is_mended = false;
};

// REQUIRES: `utf8` is well-formed UTF-8.
HtmlBytes PreparedHtml(std::string_view utf8, std::string* storage);

}  // namespace trawl
