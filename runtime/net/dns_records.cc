#include "runtime/net/dns_records.h"

#include <ares.h>
#include <netdb.h>

#include <algorithm>
#include <array>

namespace trawl {

namespace {

DnsFailure FailureOf(int status) {
  switch (status) {
    case ARES_SUCCESS:
      return DnsFailure::kNone;
    case ARES_ENOTFOUND:
      return DnsFailure::kNoSuchName;
    case ARES_ENODATA:
      return DnsFailure::kNoAddress;
    case ARES_EBADNAME:
      return DnsFailure::kBadName;
    case ARES_ETIMEOUT:
      return DnsFailure::kTimeout;
    case ARES_EBADRESP:
    case ARES_EFORMERR:
      return DnsFailure::kMalformed;
    default:
      return DnsFailure::kServerFailure;
  }
}

void AddAddress(const IpAddress& address, int ttl_s, DnsHalf* half) {
  std::vector<IpAddress>& addresses = half->addresses;
  if (std::find(addresses.begin(), addresses.end(), address) == addresses.end()) addresses.push_back(address);
  // A number whose highest bit is set counts as zero (RFC 2181 section 8).
  half->ttl_ms = std::min(half->ttl_ms, std::max<int64_t>(ttl_s, 0) * 1000);
}

int ReadV4(const unsigned char* bytes, int size, DnsHalf* half) {
  ares_addrttl records[kMaxDnsAddresses];
  int count = kMaxDnsAddresses;
  const int status = ares_parse_a_reply(bytes, size, nullptr, records, &count);
  if (status != ARES_SUCCESS) return status;
  for (int i = 0; i < count; ++i) {
    std::array<uint8_t, 4> address;
    std::copy_n(reinterpret_cast<const uint8_t*>(&records[i].ipaddr), address.size(), address.begin());
    AddAddress(IpAddress::V4(address), records[i].ttl, half);
  }
  return ARES_SUCCESS;
}

int ReadV6(const unsigned char* bytes, int size, DnsHalf* half) {
  ares_addr6ttl records[kMaxDnsAddresses];
  int count = kMaxDnsAddresses;
  const int status = ares_parse_aaaa_reply(bytes, size, nullptr, records, &count);
  if (status != ARES_SUCCESS) return status;
  for (int i = 0; i < count; ++i) {
    std::array<uint8_t, 16> address;
    std::copy_n(reinterpret_cast<const uint8_t*>(&records[i].ip6addr), address.size(), address.begin());
    AddAddress(IpAddress::V6(address), records[i].ttl, half);
  }
  return ARES_SUCCESS;
}

}  // namespace

std::string_view DnsFailureName(DnsFailure failure) {
  static constexpr std::string_view kNames[] = {"",
                                                "not a name for a question",
                                                "no such name",
                                                "no address",
                                                "the name servers failed",
                                                "no answer from the name servers",
                                                "malformed answer"};
  return kNames[static_cast<size_t>(failure)];
}

DnsHalf ReadDnsHalf(int status, std::string_view message, bool v6) {
  DnsHalf half;
  if (status == ARES_SUCCESS) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(message.data());
    const int size = static_cast<int>(message.size());
    status = v6 ? ReadV6(bytes, size, &half) : ReadV4(bytes, size, &half);
  }
  if (half.addresses.empty()) half.failure = FailureOf(status == ARES_SUCCESS ? ARES_ENODATA : status);
  return half;
}

DnsAnswer JoinDnsHalves(const DnsHalf& v4, const DnsHalf& v6) {
  DnsAnswer answer;
  answer.addresses = v4.addresses;
  answer.addresses.insert(answer.addresses.end(), v6.addresses.begin(), v6.addresses.end());
  if (answer.addresses.size() > kMaxDnsAddresses) answer.addresses.resize(kMaxDnsAddresses);
  if (!answer.addresses.empty()) return answer;
  // "No such name" from one half holds for both; otherwise a failure says more than an empty answer.
  answer.failure = v4.failure;
  if (v6.failure == DnsFailure::kNoSuchName || answer.failure == DnsFailure::kNoAddress) answer.failure = v6.failure;
  return answer;
}

}  // namespace trawl
