// The Link field (RFC 8288). Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/http/header_list.h"

namespace trawl {

struct LinkValue {
  std::string_view target;  // as written between "<" and ">", to be resolved against the page; views the header
  // Names in lower case, in order; values without quotes and backslashes.
  std::vector<std::pair<std::string, std::string>> parameters;

  // The first parameter with that name.
  const std::string* Parameter(std::string_view name) const;
  // Whether the link's relation types include `rel`, which is in lower case. Only the first rel parameter counts.
  bool HasRelation(std::string_view rel) const;
};

// Every Link field, read as in RFC 8288 appendix B.2: everything before a field's first syntax error counts.
std::vector<LinkValue> LinksOf(const HeaderList& headers);

// The target of the first rel=canonical without an anchor, which therefore speaks of the page itself.
std::optional<std::string> CanonicalLinkOf(const HeaderList& headers);

}  // namespace trawl
