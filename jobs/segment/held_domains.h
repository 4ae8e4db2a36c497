// The domains that open segments hold: generate leaves them out, so that no two segments visit one. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

// A segment that holds a domain.
struct DomainHolder {
  std::string segment;
  TimeMs until_ms = 0;
};

class HeldDomains {
 public:
  // Reads the segments that are open at that time: an expired one holds nothing.
  static arrow::Result<HeldDomains> Read(Store* store, const Manifest& snapshot, TimeMs now_ms);

  // The segment that holds the domain ("com,example"), and until when; null where the domain is free. Of several, the
  // one that holds it longest. Lives as long as this.
  const DomainHolder* HolderOf(std::string_view domain) const;

 private:
  std::vector<DomainHolder> holders_;
  // Numbers of holders by the hash of the domain. If two domains share a hash, one is left out for a round in vain.
  std::unordered_map<uint64_t, uint32_t> holder_of_;
};

// The domain by which a host is held: "com,example" for the host part "com,example,www" of a key.
std::string HoldingDomainOf(std::string_view host_part);

}  // namespace trawl
