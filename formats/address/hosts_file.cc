#include "formats/address/hosts_file.h"

#include <algorithm>
#include <charconv>

namespace trawl {

namespace {

constexpr size_t kMaxAddresses = 16;

std::string_view NextWord(std::string_view& line) {
  const size_t start = line.find_first_not_of(" \t\r\f\v");
  if (start == std::string_view::npos) {
    line = {};
    return {};
  }
  line.remove_prefix(start);
  const std::string_view word = line.substr(0, line.find_first_of(" \t\r\f\v"));
  line.remove_prefix(word.size());
  return word;
}

bool TakePort(std::string_view& ports, uint16_t* port) {
  if (ports.empty()) return true;
  if (ports.front() != ':') return false;
  ports.remove_prefix(1);
  const std::string_view digits = ports.substr(0, ports.find(':'));
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), *port);
  ports.remove_prefix(digits.size());
  return error == std::errc() && end == digits.data() + digits.size() && *port != 0;
}

// "127.0.0.1", "127.0.0.1:8080", "127.0.0.1:8080:8443", "::1", "[::1]:8080"
bool ParseWhere(std::string_view word, FixedHost* where) {
  std::string_view address = word, ports;
  if (word.starts_with('[')) {
    const size_t end = word.find(']');
    if (end == std::string_view::npos) return false;
    address = word.substr(0, end + 1);
    ports = word.substr(end + 1);
  } else if (word.find('.') != std::string_view::npos && word.find('.') < word.find(':')) {
    address = word.substr(0, word.find(':'));
    ports = word.substr(address.size());
  }
  const auto parsed = IpAddress::Parse(address);
  if (!parsed) return false;
  where->addresses = {*parsed};
  return TakePort(ports, &where->http_port) && TakePort(ports, &where->https_port) && ports.empty();
}

std::string Lower(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

void AddLine(std::string_view line, FixedHosts* hosts) {
  FixedHost where;
  if (!ParseWhere(NextWord(line), &where)) return;
  for (std::string_view name = NextWord(line); !name.empty(); name = NextWord(line)) {
    FixedHost& host = (*hosts)[Lower(name)];
    const IpAddress& address = where.addresses.front();
    const bool known = std::find(host.addresses.begin(), host.addresses.end(), address) != host.addresses.end();
    if (!known && host.addresses.size() < kMaxAddresses) host.addresses.push_back(address);
    if (where.http_port != 0) host.http_port = where.http_port;
    if (where.https_port != 0) host.https_port = where.https_port;
  }
}

}  // namespace

void AddHostsFile(std::string_view text, FixedHosts* hosts) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    AddLine(line.substr(0, line.find('#')), hosts);
  }
}

}  // namespace trawl
