// Defines the functions on AddressClass that address.h declares.
#include "formats/address/address.h"

namespace trawl {

namespace {

struct Range {
  const char* address;
  int bits;
  AddressClass address_class;
};

// The first range that holds an address decides, so an exception stands above the range that surrounds it.
constexpr Range kV4Ranges[] = {
    {"169.254.169.254", 32, AddressClass::kMetadata},
    {"100.100.100.200", 32, AddressClass::kMetadata},  // Alibaba Cloud, inside the shared space
    {"192.0.0.192", 32, AddressClass::kMetadata},      // Oracle Cloud, inside the protocol assignments
    {"168.63.129.16", 32,
     AddressClass::kMetadata},  // Azure's wire server: a public number that only hosts of Azure reach
    {"0.0.0.0", 8, AddressClass::kUnspecified},
    {"127.0.0.0", 8, AddressClass::kLoopback},
    {"10.0.0.0", 8, AddressClass::kPrivate},
    {"172.16.0.0", 12, AddressClass::kPrivate},
    {"192.168.0.0", 16, AddressClass::kPrivate},
    {"169.254.0.0", 16, AddressClass::kLinkLocal},
    {"100.64.0.0", 10, AddressClass::kCgnat},
    {"192.0.0.9", 32, AddressClass::kPublic},   // port control anycast, globally reachable
    {"192.0.0.10", 32, AddressClass::kPublic},  // TURN anycast, globally reachable
    {"192.0.0.0", 24, AddressClass::kProtocol},
    {"192.0.2.0", 24, AddressClass::kDocumentation},
    {"198.51.100.0", 24, AddressClass::kDocumentation},
    {"203.0.113.0", 24, AddressClass::kDocumentation},
    {"192.88.99.0", 24, AddressClass::k6to4},
    {"198.18.0.0", 15, AddressClass::kBenchmarking},
    {"224.0.0.0", 4, AddressClass::kMulticast},
    {"255.255.255.255", 32, AddressClass::kBroadcast},
    {"240.0.0.0", 4, AddressClass::kReserved},
};

constexpr Range kV6Ranges[] = {
    {"fd00:ec2::254", 128, AddressClass::kMetadata},
    {"fd20:ce::254", 128, AddressClass::kMetadata},  // Google Cloud
    {"::", 128, AddressClass::kUnspecified},
    {"::1", 128, AddressClass::kLoopback},
    {"::ffff:0:0", 96, AddressClass::kV4Mapped},
    {"::ffff:0:0:0", 96, AddressClass::kV4Mapped},
    {"::", 96, AddressClass::kV4Compatible},
    {"64:ff9b::", 96, AddressClass::kNat64},
    {"64:ff9b:1::", 48, AddressClass::kNat64},
    {"fe80::", 10, AddressClass::kLinkLocal},
    {"fec0::", 10, AddressClass::kUniqueLocal},
    {"fc00::", 7, AddressClass::kUniqueLocal},
    {"ff00::", 8, AddressClass::kMulticast},
    {"2002::", 16, AddressClass::k6to4},
    {"2001::", 32, AddressClass::kTeredo},
    {"2001:2::", 48, AddressClass::kBenchmarking},
    {"2001:db8::", 32, AddressClass::kDocumentation},
    {"3fff::", 20, AddressClass::kDocumentation},
    {"2001::", 23, AddressClass::kProtocol},
    {"5f00::", 16, AddressClass::kProtocol},  // segment routing
    {"2000::", 3, AddressClass::kPublic},
    {"::", 0, AddressClass::kReserved},
};

struct ParsedRange {
  IpAddress network;
  int bits;
  AddressClass address_class;
};

template <size_t N>
std::array<ParsedRange, N> ParseRanges(const Range (&ranges)[N]) {
  std::array<ParsedRange, N> parsed;
  for (size_t i = 0; i < N; ++i) {
    parsed[i] = {*IpAddress::Parse(ranges[i].address), ranges[i].bits, ranges[i].address_class};
  }
  return parsed;
}

bool Holds(const ParsedRange& range, const IpAddress& address) {
  int bits = range.bits;
  for (size_t i = 0; bits > 0; ++i, bits -= 8) {
    const uint8_t mask = bits >= 8 ? 0xff : static_cast<uint8_t>(0xff << (8 - bits));
    if ((range.network.bytes()[i] & mask) != (address.bytes()[i] & mask)) return false;
  }
  return true;
}

template <size_t N>
AddressClass FirstThatHolds(const std::array<ParsedRange, N>& ranges, const IpAddress& address) {
  for (const ParsedRange& range : ranges) {
    if (Holds(range, address)) return range.address_class;
  }
  return AddressClass::kPublic;
}

}  // namespace

AddressClass ClassifyAddress(const IpAddress& address) {
  static const auto v4 = ParseRanges(kV4Ranges);
  static const auto v6 = ParseRanges(kV6Ranges);
  return address.is_v6() ? FirstThatHolds(v6, address) : FirstThatHolds(v4, address);
}

std::string_view AddressClassName(AddressClass address_class) {
  switch (address_class) {
    case AddressClass::kPublic:
      return "public";
    case AddressClass::kUnspecified:
      return "unspecified";
    case AddressClass::kLoopback:
      return "loopback";
    case AddressClass::kPrivate:
      return "private";
    case AddressClass::kLinkLocal:
      return "link-local";
    case AddressClass::kMetadata:
      return "metadata";
    case AddressClass::kCgnat:
      return "cgnat";
    case AddressClass::kUniqueLocal:
      return "unique-local";
    case AddressClass::kMulticast:
      return "multicast";
    case AddressClass::kBroadcast:
      return "broadcast";
    case AddressClass::kDocumentation:
      return "documentation";
    case AddressClass::kBenchmarking:
      return "benchmarking";
    case AddressClass::kProtocol:
      return "protocol";
    case AddressClass::kReserved:
      return "reserved";
    case AddressClass::kV4Mapped:
      return "v4-mapped";
    case AddressClass::kV4Compatible:
      return "v4-compatible";
    case AddressClass::k6to4:
      return "6to4";
    case AddressClass::kNat64:
      return "nat64";
    case AddressClass::kTeredo:
      return "teredo";
  }
  return "unknown";
}

AddressVerdict CheckAddress(const IpAddress& address) {
  const AddressClass address_class = ClassifyAddress(address);
  return {address_class == AddressClass::kPublic, address_class};
}

}  // namespace trawl
