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
  std::string_view target;  // as written between "<" and ">", to be resolved against the page; in the header's bytes
  // Names in lower case, in order; values with quotes and backslashes undone.
  std::vector<std::pair<std::string, std::string>> parameters;

  // The first parameter of that name.
  const std::string* Parameter(std::string_view name) const;
  // Whether its relation types include `rel`, given in lower case. Only the first rel parameter counts.
  bool HasRelation(std::string_view rel) const;
};

// Every Link field, read as RFC 8288 appendix B.2 has it: what comes before the first syntax error of a field counts.
std::vector<LinkValue> LinksOf(const HeaderList& headers);

// The target of the first rel=canonical that speaks of the page itself, that is, has no anchor.
std::optional<std::string> CanonicalLinkOf(const HeaderList& headers);

}  // namespace trawl
