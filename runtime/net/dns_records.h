// The two halves of an answer about a name, IPv4 and IPv6, and the joined answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/address/address.h"
#include "runtime/net/dns.h"

namespace trawl {

struct DnsHalf {
  std::vector<IpAddress> addresses;
  // Set exactly where there is no address.
  DnsFailure failure = DnsFailure::kNone;
  // The shortest time to live among the addresses and their aliases.
  int64_t ttl_ms = INT64_MAX;
};

// Reads c-ares' report: its status, and the message where there is one. Returns at most kMaxDnsAddresses addresses.
DnsHalf ReadDnsHalf(int ares_status, std::string_view message, bool v6);

inline constexpr size_t kMaxDnsAddresses = 16;

// Puts IPv4 first: nearly every server of the web has it, and not every crawler has a route for IPv6.
DnsAnswer JoinDnsHalves(const DnsHalf& v4, const DnsHalf& v6);

}  // namespace trawl
