// Reads a parse tree into a page: for html.cc.
#pragma once

#include "formats/html/page_builder.h"

struct GumboInternalNode;

namespace trawl {

// Hands every element and text below `root` to `builder`. Needs no stack of its own however deep the tree.
void WalkHtmlTree(const GumboInternalNode* root, HtmlPageBuilder* builder);

}  // namespace trawl
