// Text from anywhere as text of an HTML page. Crawled bytes are hostile to whoever looks at them: nothing that comes out
// of these functions can open an element, end an attribute or turn the text of its neighbours around. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trawl {

// For the text of an element and for attributes in quotes: & < > " and ' become references. What is not UTF-8, control
// characters but tab and line feed, characters that override the direction of text (U+202A to U+202E, U+2066 to U+2069)
// and noncharacters become U+FFFD each.
std::string EscapeHtml(std::string_view text);
void AppendHtml(std::string_view text, std::string* out);

// The first `most` characters of UTF-8 text, the last of them "…" where something was cut off. Not escaped.
std::string ShortText(std::string_view text, size_t most);

// A link to a crawled URL, with its text cut to `most` characters: it tells the site nothing about the reader. Only http
// and https become links; another text stays text. Escaped.
std::string UrlHtml(std::string_view url, size_t most = 120);

}  // namespace trawl
