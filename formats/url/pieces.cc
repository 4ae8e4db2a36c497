#include "formats/url/pieces.h"

#include <algorithm>
#include <array>

#include "formats/text/ascii.h"

namespace trawl {

namespace {

bool IsLowerHex(char c) { return IsAsciiDigit(c) || (c >= 'a' && c <= 'f'); }

constexpr std::array<bool, 256> kNameBytes = [] {
  std::array<bool, 256> table{};
  for (const char c : std::string_view("abcdefghijklmnopqrstuvwxyz0123456789_-."))
    table[static_cast<unsigned char>(c)] = true;
  return table;
}();

// Whether `text` is a number up to `max` without leading zeros.
bool IsPlainNumber(std::string_view text, int max) {
  if (text.empty() || text.size() > 5 || (text.size() > 1 && text[0] == '0')) return false;
  int value = 0;
  for (const char c : text) {
    if (!IsAsciiDigit(c)) return false;
    value = value * 10 + (c - '0');
  }
  return value <= max;
}

bool IsIpv4(std::string_view host) {
  for (int part = 0; part < 4; ++part) {
    const size_t dot = host.find('.');
    if ((dot == std::string_view::npos) != (part == 3) || !IsPlainNumber(host.substr(0, dot), 255)) return false;
    if (part < 3) host.remove_prefix(dot + 1);
  }
  return true;
}

bool IsIpv6(std::string_view host) {
  constexpr size_t kLongest = 41;  // eight groups of four digits, seven colons, two brackets
  if (host.size() < 4 || host.size() > kLongest || host.front() != '[' || host.back() != ']') return false;
  const std::string_view inside = host.substr(1, host.size() - 2);
  return std::all_of(inside.begin(), inside.end(), [](char c) { return c == ':' || IsLowerHex(c); }) &&
         inside.find(':') != std::string_view::npos;
}

// https://url.spec.whatwg.org/#ends-in-a-number-checker, for a label that is not empty.
bool IsNumberLabel(std::string_view label) {
  if (label.starts_with("0x")) {
    label.remove_prefix(2);
    return std::all_of(label.begin(), label.end(), IsLowerHex);
  }
  return std::all_of(label.begin(), label.end(), IsAsciiDigit);
}

bool IsName(std::string_view host) {
  char before = '.';
  for (const char c : host) {
    if (!kNameBytes[static_cast<unsigned char>(c)] || (c == '.' && before == '.')) return false;
    before = c;
  }
  if (before == '.') return false;
  const size_t dot = host.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? host : host.substr(dot + 1);
  return !IsAsciiDigit(last[0]) || !IsNumberLabel(last);
}

}  // namespace

HostForm FormOfHost(std::string_view host) {
  if (host.empty()) return HostForm::kRefused;
  if (IsName(host)) return HostForm::kName;
  if (host[0] == '[') return IsIpv6(host) ? HostForm::kIpv6 : HostForm::kRefused;
  return IsIpv4(host) ? HostForm::kIpv4 : HostForm::kRefused;
}

bool SplitWebUrl(std::string_view url, UrlPieces* pieces) {
  const bool https = url.starts_with("https://");
  if (!https && !url.starts_with("http://")) return false;
  const size_t host_start = https ? 8 : 7;
  const size_t path_start = url.find('/', host_start);
  if (path_start == std::string_view::npos) return false;
  pieces->scheme = url.substr(0, host_start - 3);
  pieces->origin = url.substr(0, path_start);
  pieces->host = url.substr(host_start, path_start - host_start);
  pieces->port = {};
  const size_t colon = pieces->host.rfind(':');
  if (colon != std::string_view::npos && pieces->host.back() != ']') {
    pieces->port = pieces->host.substr(colon + 1);
    pieces->host = pieces->host.substr(0, colon);
    if (!IsPlainNumber(pieces->port, 65535) || pieces->port == (https ? "443" : "80")) return false;
  }
  const size_t mark = url.find('?', path_start);
  pieces->has_query = mark != std::string_view::npos;
  pieces->path = url.substr(path_start, pieces->has_query ? mark - path_start : std::string_view::npos);
  pieces->query = pieces->has_query ? url.substr(mark + 1) : std::string_view();
  pieces->host_form = FormOfHost(pieces->host);
  return pieces->host_form != HostForm::kRefused;
}

}  // namespace trawl
