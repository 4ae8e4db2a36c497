// Reads a parse tree into a page: for html.cc.
#pragma once

#include "formats/html/page_builder.h"

struct GumboInternalNode;

namespace trawl {

// Hands every element and text below `root` to `builder`. Does not recurse, however deep the tree is.
void WalkHtmlTree(const GumboInternalNode* root, HtmlPageBuilder* builder);

}  // namespace trawl
