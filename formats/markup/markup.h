// The surface of HTML, for readers that look at tags and not at a tree: html_cost.cc and html_scan.cc. Pure; any
// thread.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "formats/text/ascii.h"

namespace trawl {

inline std::string_view StripHtmlSpace(std::string_view text) { return TrimBytes(text, " \n\t\r\f"); }
// The pieces between characters of `separators`; no empty ones.
std::vector<std::string_view> SplitWords(std::string_view text, std::string_view separators = " \n\t\r\f");

// Past a comment that begins at `at`: behind its "-->" or "--!>", or the end of the text.
size_t EndOfComment(std::string_view html, size_t at);

// Where the end tag of a raw text element begins, at `at` or behind; the end of the text where there is none.
size_t FindEndTag(std::string_view html, size_t at, std::string_view lower_name);

}  // namespace trawl
