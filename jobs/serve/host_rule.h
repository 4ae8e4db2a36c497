// Under which names clients may ask. A page of another site can lead its own name to our address (DNS rebinding) and would
// then read our answers as its own; its requests carry that name. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trawl {

class HostRule {
 public:
  struct Place {
    std::string ip;  // that the server listens on
    int port = 0;
    bool is_tls = false;
    bool is_behind_proxy = false;  // then the port is the proxy's, which the server does not know
    std::vector<std::string> names;
  };
  explicit HostRule(Place place);

  // Whether a request with this Host field is meant for us: localhost, 127.0.0.1, [::1], the bound address or one of the
  // names, with the port. The port may be missing where it is the scheme's own.
  bool Accepts(std::string_view host) const;

  // Whether a page of `origin` ("http://localhost:8765") is one of ours, asked under this Host.
  static bool IsSameOrigin(std::string_view origin, std::string_view host, bool is_https);

 private:
  const Place place_;
};

}  // namespace trawl
