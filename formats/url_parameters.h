// Names of parameters, of query and path, that say nothing about which page is meant. Part of the normal forms and so
// constants of every crawl that was begun with them: a change here gives rows new keys, and belongs in a new form.
#pragma once

#include <string_view>

namespace trawl {

// A parameter that says where a visitor came from: "utm_source", "gclid"… `name` as it stands in the query, in any
// case.
bool IsTrackingParameter(std::string_view name);

// A parameter that says who the visitor is: "jsessionid", "PHPSESSID"… Names that are also used for other things count
// only with a value that looks drawn at random: 24 letters and digits or more, at least four of them digits.
bool IsSessionParameter(std::string_view name, std::string_view value);

// "ref" and "source": tracking on many sites, content on others.
bool IsReferrerParameter(std::string_view name);

// A file that a server gives for its folder: "index.html", "default.aspx"…
bool IsDefaultDocument(std::string_view segment);

}  // namespace trawl
