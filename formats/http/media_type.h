// Media types: WHATWG MIME Sniffing's "parse a MIME type" and Fetch's "extract a MIME type". Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/http/header_list.h"

namespace trawl {

struct MediaType {
  std::string essence;  // "text/html", in lower case
  // Names in lower case, each once, in order; values without quotes and backslashes.
  std::vector<std::pair<std::string, std::string>> parameters;

  const std::string* Parameter(std::string_view name) const;
  // The WHATWG name of the encoding that the charset parameter names; else empty.
  std::string_view Encoding() const;
};

// Nothing where `text` is not a media type.
std::optional<MediaType> ParseMediaType(std::string_view text);

// The type that all Content-Type fields together stand for: the last one that can be read. Where it has no charset, it
// takes that of an earlier one with the same essence.
std::optional<MediaType> ContentTypeOf(const HeaderList& headers);

}  // namespace trawl
