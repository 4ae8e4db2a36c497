// Names of parameters, in queries and paths, that say nothing about which page is meant. They are part of the normal
// forms, and so constants of every crawl that began with them. A change here would give rows new keys; it needs a new
// form.
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

// `name` is as it stands in the URL, in any case. Session names that also have other uses ("sid") count only with a
// value that looks random: 24 letters and digits or more, at least four of them digits.
ParameterRole RoleOfParameter(std::string_view name, std::string_view value);

// A file that a server sends for its folder: "index.html", "default.aspx"…
bool IsDefaultDocument(std::string_view segment);

}  // namespace trawl
