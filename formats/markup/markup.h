// The surface of HTML, for readers that look at tags and not at a tree, such as cost.cc and html/scan.cc. Pure; any
// thread.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "formats/text/ascii.h"

namespace trawl {

inline std::string_view StripHtmlSpace(std::string_view text) { return TrimBytes(text, " \n\t\r\f"); }
// The pieces between characters of `separators`, without empty pieces.
std::vector<std::string_view> SplitWords(std::string_view text, std::string_view separators = " \n\t\r\f");

// The position after the "-->" or "--!>" of the comment that begins at `at`, or the end of the text.
size_t EndOfComment(std::string_view html, size_t at);

// The position of a raw text element's end tag, at `at` or after it; the end of the text if it has no end tag.
size_t FindEndTag(std::string_view html, size_t at, std::string_view lower_name);

}  // namespace trawl
