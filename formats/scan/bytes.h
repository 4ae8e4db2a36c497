// The input stream as gumbo sees it (HTML Standard 13.2.3.5): line ends are line feeds, and control characters and
// noncharacters are U+FFFD. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace trawl {

struct HtmlBytes {
  // A view of the page itself, or of `*storage` where something had to be replaced.
  std::string_view text;
  bool has_nul = false;
  // Something but line ends was replaced.
  bool is_mended = false;
};

// REQUIRES: `utf8` is well-formed UTF-8.
HtmlBytes PreparedHtml(std::string_view utf8, std::string* storage);

}  // namespace trawl
