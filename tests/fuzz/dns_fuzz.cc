// Input: a name server's message, read as the A answer and as the AAAA answer, and as the text of a hosts file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/address/hosts_file.h"
#include "runtime/net/dns_records.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr int kSuccess = 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const trawl::DnsHalf v4 = trawl::ReadDnsHalf(kSuccess, bytes, false);
  const trawl::DnsHalf v6 = trawl::ReadDnsHalf(kSuccess, bytes, true);
  const trawl::DnsAnswer answer = trawl::JoinDnsHalves(v4, v6);
  if (answer.addresses.size() > trawl::kMaxDnsAddresses) std::abort();
  if (answer.addresses.empty() != (answer.failure != trawl::DnsFailure::kNone)) std::abort();
  trawl::FixedHosts hosts;
  trawl::AddHostsFile(bytes, &hosts);
  for (const auto& [name, host] : hosts) {
    if (host.addresses.empty() || host.addresses.size() > 16) std::abort();
    for (const trawl::IpAddress& address : host.addresses) {
      if (trawl::IpAddress::Parse(address.ToUrlHost()) != address) std::abort();
    }
  }
  return 0;
}
