// The pieces of a normalised web URL, found without parsing it again, and the grammar of host names that a key can
// hold. Keys, policies and host queues depend on it.
#pragma once

#include <cstddef>
#include <string_view>

namespace trawl {

// The hosts that a crawl can hold.
enum class HostForm {
  kName,     // labels of [a-z0-9_-]+ joined by '.', the last not a number (WHATWG: such a host is an IPv4 address)
  kIpv4,     // four plain decimal numbers
  kIpv6,     // in brackets, digits and colons inside
  kRefused,  // anything else: an empty label, upper case, other characters, a trailing dot
};
HostForm FormOfHost(std::string_view host);

// Views into a normalised URL: "https://www.example.com:8443/a/b?c=d".
struct UrlPieces {
  std::string_view scheme;  // "https"
  std::string_view host;    // "www.example.com"; IPv6 in brackets
  std::string_view port;    // "8443"; empty where it is the scheme's own
  std::string_view origin;  // "https://www.example.com:8443"
  std::string_view path;    // "/a/b", never empty
  std::string_view query;   // "c=d"; else empty
  bool has_query = false;
  HostForm host_form = HostForm::kRefused;
};

// False where `url` does not have the form scheme://host[:port]/path[?query] with scheme http or https, a host of the
// grammar above, and a port in plain decimal that is not the scheme's own. The contents of path and query are not
// checked.
bool SplitWebUrl(std::string_view url, UrlPieces* pieces);

}  // namespace trawl
