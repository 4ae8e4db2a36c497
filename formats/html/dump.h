// A parsed page in the format of the html5lib tree-construction tests: for `trawl check tree` and for tests of the
// parser.
//
// The tree is gumbo's, which follows the HTML Standard of 2015. Where the standard has since changed a dump's view of
// an element or attribute, the dump follows the standard if the tree holds what is needed. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "arrow/result.h"

namespace trawl {

struct HtmlDumpOptions {
  // The context element of a fragment, for example "td" or "svg path"; empty for a document.
  std::string fragment;
  // Whether the content of <noscript> is text. The jobs parse without scripting.
  bool scripting = false;
};

// Returns lines like "| <html>", without the format's "#document" line. Each line but the last ends with a line feed.
// Returns Invalid for a context that cannot be one, and CapacityError if the guards refuse the tree.
arrow::Result<std::string> DumpHtmlTree(std::string_view utf8, const HtmlDumpOptions& options);

}  // namespace trawl
