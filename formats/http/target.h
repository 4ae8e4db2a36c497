// An http or https URL taken apart for a request: the server to connect to, the Host field, the path asked for.
//
// Takes a URL that a parser has already serialised. Anything that could change a request's meaning on the way
// (userinfo, white space, control characters, bytes beyond ASCII) is refused. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trawl {

struct HttpTarget {
  bool https = false;
  // In lower case; IPv6 in brackets.
  std::string host;
  uint16_t port = 0;
  // Path and query, from the first slash on.
  std::string path;

  // "https://host", with the port where it differs from the scheme's default.
  std::string Origin() const;
  bool has_default_port() const { return port == (https ? 443 : 80); }

  static std::optional<HttpTarget> Parse(std::string_view url);
};

// Whether `url` begins with "http:" or "https:".
bool HasHttpScheme(std::string_view url);

}  // namespace trawl
