// The door of formats/address: IP addresses, and the classes of addresses that a crawler of the public web must not
// ask.
//
// Sources: the IANA special-purpose registries for IPv4 and IPv6 (RFC 6890 and its updates). Addresses that carry an
// IPv4 address inside (v4-mapped, v4-compatible, 6to4, NAT64, Teredo) are always refused: no server of the public web
// is reached through them, and we cannot check the route they take. Pure; any thread.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trawl {

class IpAddress {
 public:
  // 0.0.0.0
  IpAddress() = default;
  static IpAddress V4(std::array<uint8_t, 4> bytes);
  static IpAddress V6(const std::array<uint8_t, 16>& bytes);

  // A dotted quad of four decimal numbers without leading zeros, or RFC 4291 text, with or without brackets. No zone.
  static std::optional<IpAddress> Parse(std::string_view text);

  bool is_v6() const { return is_v6_; }
  // In network order. An IPv4 address is in the first four bytes.
  const std::array<uint8_t, 16>& bytes() const { return bytes_; }
  // IPv6 as RFC 5952 has it, without brackets.
  std::string ToString() const;
  // The form that stands in a URL: IPv6 in brackets.
  std::string ToUrlHost() const;

  auto operator<=>(const IpAddress&) const = default;

 private:
  bool is_v6_ = false;
  std::array<uint8_t, 16> bytes_ = {};
};

enum class AddressClass : uint8_t {
  kPublic,
  kUnspecified,    // 0.0.0.0/8, ::
  kLoopback,       // 127/8, ::1
  kPrivate,        // 10/8, 172.16/12, 192.168/16
  kLinkLocal,      // 169.254/16, fe80::/10
  kMetadata,       // 169.254.169.254 and similar: where clouds hand out credentials
  kCgnat,          // 100.64/10
  kUniqueLocal,    // fc00::/7, and the older fec0::/10
  kMulticast,      // 224/4, ff00::/8
  kBroadcast,      // 255.255.255.255
  kDocumentation,  // 192.0.2/24, 198.51.100/24, 203.0.113/24, 2001:db8::/32, 3fff::/20
  kBenchmarking,   // 198.18/15, 2001:2::/48
  kProtocol,       // 192.0.0/24, 2001::/23 and other ranges that serve a protocol
  kReserved,       // 240/4, and IPv6 outside 2000::/3
  kV4Mapped,       // ::ffff:0:0/96, ::ffff:0:0:0/96
  kV4Compatible,   // ::/96
  k6to4,           // 2002::/16, 192.88.99/24
  kNat64,          // 64:ff9b::/96, 64:ff9b:1::/48
  kTeredo,         // 2001::/32
};

AddressClass ClassifyAddress(const IpAddress& address);
// The name in reports and messages: "link-local".
std::string_view AddressClassName(AddressClass address_class);

struct AddressVerdict {
  bool allowed = true;
  AddressClass address_class = AddressClass::kPublic;
};

// Whether a crawler of the public web may connect to `address`: only addresses of class public may be asked.
AddressVerdict CheckAddress(const IpAddress& address);

}  // namespace trawl
