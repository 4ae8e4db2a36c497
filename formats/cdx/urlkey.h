// The key of a URL in indexes of web archives: com,example)/path?query. Pure; any thread.
//
// It is the form that the Python package surt (surt.surt) and Java's WaybackURLKeyMaker make, to the byte, since a tool
// that looks a page up makes the key itself. It is not the crawl's own key (formats/url/key.h): it forgets the scheme, "www.",
// the case of letters, the order of parameters and session ids, and cannot be turned back into a URL.
// Where those two differ it follows surt, which pywb uses: only one "www." is cut, port 0 goes, and DEL is escaped.
#pragma once

#include <string>
#include <string_view>

namespace trawl {

// REQUIRES: a web URL that was parsed and written again (formats/url/url.h), with or without further percent-encoding.
// Other text gets some key without a blank or line end; no text takes more than linear time but for the sorting of its
// parameters.
std::string UrlKeyForIndex(std::string_view url);

}  // namespace trawl
