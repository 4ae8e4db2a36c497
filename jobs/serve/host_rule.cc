#include "jobs/serve/host_rule.h"

#include <algorithm>
#include <utility>

#include "formats/address/address.h"
#include "formats/text/ascii.h"

namespace trawl {

namespace {

// "[::1]:80" → "[::1]" and "80"; no colon: no port.
std::pair<std::string_view, std::string_view> SplitPort(std::string_view host) {
  const size_t colon = host.rfind(':'), bracket = host.rfind(']');
  const bool has_port = colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  if (!has_port) return {host, {}};
  return {host.substr(0, colon), host.substr(colon + 1)};
}

}  // namespace

HostRule::HostRule(Place place) : place_(std::move(place)) {}

bool HostRule::Accepts(std::string_view host) const {
  const auto [name, port] = SplitPort(host);
  const auto is_one = [&name = name](std::string_view good) { return EqualsIgnoringAsciiCase(name, good); };
  const auto ip = IpAddress::Parse(place_.ip);
  const bool is_own = is_one("localhost") || is_one("127.0.0.1") || is_one("[::1]") || (ip && is_one(ip->ToUrlHost()));
  const bool is_named = std::any_of(place_.names.begin(), place_.names.end(), is_one);
  // A name with a port: a tunnel or a proxy has a port of its own.
  const auto is_whole = [host](std::string_view good) { return EqualsIgnoringAsciiCase(host, good); };
  if (std::any_of(place_.names.begin(), place_.names.end(), is_whole) && !port.empty()) return true;
  if (is_named && place_.is_behind_proxy) return true;
  const std::string_view usual = place_.is_tls ? "443" : "80";
  return (is_own || is_named) && (port.empty() ? usual : port) == std::to_string(place_.port);
}

bool HostRule::IsSameOrigin(std::string_view origin, std::string_view host, bool is_https) {
  const std::string_view scheme = is_https ? "https://" : "http://";
  return origin.starts_with(scheme) && EqualsIgnoringAsciiCase(origin.substr(scheme.size()), host);
}

}  // namespace trawl
