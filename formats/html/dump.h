// A parsed page as the html5lib tree-construction tests write it: for `trawl check tree` and for tests of the parser.
//
// The tree is gumbo's, which is the HTML Standard of 2015; where the standard has since changed what a dump shows of an
// element or attribute, and the tree holds what is needed, the dump follows the standard. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "arrow/result.h"

namespace trawl {

struct HtmlDumpOptions {
  // The context element of a fragment, "td" or "svg path"; empty for a document.
  std::string fragment;
  // Whether the content of <noscript> is text. The jobs parse without scripting.
  bool scripting = false;
};

// Lines "| <html>", without the format's "#document" line, each ended by a line feed but the last. Invalid for a
// context that cannot be one; CapacityError where the guards refuse the tree.
arrow::Result<std::string> DumpHtmlTree(std::string_view utf8, const HtmlDumpOptions& options);

}  // namespace trawl
