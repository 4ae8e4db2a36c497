// Names with fixed addresses: /etc/hosts, and the file of `fetch.hosts_file`, which may also say ports.
//
//   ADDRESS NAME…                     as /etc/hosts has it; `#` starts a comment
//   ADDRESS:HTTP_PORT NAME…           where http on port 80 is asked instead
//   ADDRESS:HTTP_PORT:HTTPS_PORT NAME…    and https on 443; an IPv6 address then stands in brackets
//
// Lines that do not read so are skipped, as every resolver does. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/address/address.h"

namespace trawl {

struct FixedHost {
  std::vector<IpAddress> addresses;
  // 0: the URL's own port.
  uint16_t http_port = 0;
  uint16_t https_port = 0;
};

// By name in lower case.
using FixedHosts = std::unordered_map<std::string, FixedHost>;

// Adds the names of `text`; a name that stands on several lines gets their addresses in order, each once, up to 16.
void AddHostsFile(std::string_view text, FixedHosts* hosts);

}  // namespace trawl
