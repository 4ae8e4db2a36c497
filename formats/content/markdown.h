// Writes what a page shows as Markdown (CommonMark 0.31 with the tables of GFM).
//
// Headings, paragraphs, quotations, lists, links, images, code in lines and in fences with its language, tables, rules. No
// raw HTML: a character that Markdown would take as markup is escaped. Links and images have absolute URLs; an image
// whose source is not http or https (such as data:) is left out. A table is written as one if no cell spans and no table
// stands in it, else as lines. Bold and italics are left out.
//
// Time and memory are proportional to the log. Pure; any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/content/content_log.h"

namespace trawl {

struct MarkdownOptions {
  // The absolute URL of a reference of the page; empty where it is none.
  std::function<std::string(std::string_view href)> resolve;
  size_t max_bytes = 4 << 20;
};

// `takes` says by node of the outline what is written (MainContent::takes); empty: all of it.
std::string MarkdownOf(const ContentLog& log, const std::vector<bool>& takes, const MarkdownOptions& options);

}  // namespace trawl
