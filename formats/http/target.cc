#include "formats/http/target.h"

#include <charconv>

namespace trawl {

namespace {

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

bool IsHostByte(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.'; }

bool IsPlainHost(std::string_view host) {
  for (const char c : host) {
    if (!IsHostByte(c)) return false;
  }
  return !host.empty();
}

bool IsBracketed(std::string_view host) {
  if (host.size() < 4 || host.front() != '[' || host.back() != ']') return false;
  return host.substr(1, host.size() - 2).find_first_not_of("0123456789abcdef:.") == std::string_view::npos;
}

bool IsVisible(std::string_view text) {
  for (const char c : text) {
    if (c <= ' ' || c > '~') return false;
  }
  return true;
}

bool TakeScheme(std::string_view& url, bool* https) {
  const size_t colon = url.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string scheme = Lower(url.substr(0, colon));
  if (scheme != "http" && scheme != "https") return false;
  *https = scheme == "https";
  url.remove_prefix(colon + 1);
  return true;
}

bool TakePort(std::string_view digits, uint16_t* port) {
  if (digits.empty()) return true;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), *port);
  return error == std::errc() && end == digits.data() + digits.size() && *port != 0;
}

}  // namespace

bool HasHttpScheme(std::string_view url) {
  bool https;
  return TakeScheme(url, &https);
}

std::optional<HttpTarget> HttpTarget::Parse(std::string_view url) {
  HttpTarget target;
  if (!TakeScheme(url, &target.https) || !url.starts_with("//")) return std::nullopt;
  url.remove_prefix(2);
  url = url.substr(0, url.find('#'));
  const std::string_view authority = url.substr(0, url.find_first_of("/?"));
  url.remove_prefix(authority.size());

  const size_t host_end = authority.starts_with('[') ? authority.find(']') : authority.find(':');
  const size_t port_at = authority.find(':', authority.starts_with('[') ? host_end : 0);
  if (authority.starts_with('[') && host_end == std::string_view::npos) return std::nullopt;
  target.host = Lower(authority.substr(0, port_at));
  if (!IsPlainHost(target.host) && !IsBracketed(target.host)) return std::nullopt;
  target.port = target.https ? 443 : 80;
  if (port_at != std::string_view::npos && !TakePort(authority.substr(port_at + 1), &target.port)) return std::nullopt;

  if (!IsVisible(url)) return std::nullopt;
  target.path = url.starts_with('/') ? std::string(url) : "/" + std::string(url);
  return target;
}

std::string HttpTarget::Origin() const {
  std::string origin = (https ? "https://" : "http://") + host;
  if (!has_default_port()) origin += ':' + std::to_string(port);
  return origin;
}

}  // namespace trawl
