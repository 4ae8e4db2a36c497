// Reads a page tag by tag, without a tree: for pages whose tree was refused. Time and memory are proportional to the
// length of the page, whatever it holds. For html.cc.
#pragma once

#include <string_view>

#include "formats/html/page_builder.h"

namespace trawl {

// Hands its findings to `builder`. Unlike a tree, this scan does not know which elements end by themselves, or which
// content belongs to a table or a template only by its place. Hidden elements last until their own end tag.
void ScanHtml(std::string_view utf8, HtmlPageBuilder* builder);

}  // namespace trawl
