// Names with fixed addresses: /etc/hosts, and the file of `fetch.hosts_file`, which may also say ports.
//
//   ADDRESS NAME…                     as /etc/hosts has it; `#` starts a comment
//   ADDRESS:HTTP_PORT NAME…           http on port 80 goes to HTTP_PORT instead
//   ADDRESS:HTTP_PORT:HTTPS_PORT NAME…    and https on 443 to HTTPS_PORT; an IPv6 address then stands in brackets
//
// Other lines are skipped, as every resolver does. Pure; any thread.
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
  // 0 stands for the URL's own port.
  uint16_t http_port = 0;
  uint16_t https_port = 0;
};

// The key is the name in lower case.
using FixedHosts = std::unordered_map<std::string, FixedHost>;

// Adds the names of `text`. A name on several lines gets their addresses in order, each once, up to 16.
void AddHostsFile(std::string_view text, FixedHosts* hosts);

}  // namespace trawl
