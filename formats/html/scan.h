// Reads a page tag by tag, without a tree: for pages whose tree was refused. Time and memory follow the length,
// whatever the page. For html.cc.
#pragma once

#include <string_view>

#include "formats/html/page_builder.h"

namespace trawl {

// Hands what it finds to `builder`. What a tree would know and this does not: elements that end by themselves, and what
// belongs to a table or a template only by its place. Hidden elements last to their own end tag.
void ScanHtml(std::string_view utf8, HtmlPageBuilder* builder);

}  // namespace trawl
