// Names of parameters, of query and path, that say nothing about which page is meant. Part of the normal forms and so
// constants of every crawl that was begun with them: a change here gives rows new keys, and belongs in a new form.
#pragma once

#include <cstdint>
#include <string_view>

namespace trawl {

enum class ParameterRole : uint8_t {
  kContent,   // it may say which page is meant
  kTracking,  // where a visitor came from: "utm_source", "gclid"…
  kSession,   // who the visitor is: "jsessionid", "PHPSESSID"…
  kReferrer,  // "ref" and "source": tracking on many sites, content on others
};

// `name` as it stands in the URL, in any case. Names of sessions that are also used for other things ("sid") count only
// with a value that looks drawn at random: 24 letters and digits or more, at least four of them digits.
ParameterRole RoleOfParameter(std::string_view name, std::string_view value);

// A file that a server gives for its folder: "index.html", "default.aspx"…
bool IsDefaultDocument(std::string_view segment);

}  // namespace trawl
