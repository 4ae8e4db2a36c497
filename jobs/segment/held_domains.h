// The domains that open segments hold: a round leaves them out. Any thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

class HeldDomains {
 public:
  // Of the segments that are open at that time; an expired one holds nothing.
  static arrow::Result<HeldDomains> Read(Store* store, const Manifest& snapshot, TimeMs now_ms);

  // Until when the domain ("com,example") is held; 0: it is free.
  TimeMs HeldUntil(std::string_view domain) const;

 private:
  // By the hash of the domain: that two of them share one could only leave a domain out for a round.
  std::unordered_map<uint64_t, TimeMs> until_;
};

// The domain that holds a host ("com,example" for "com,example,www"), of the host part of a key.
std::string HoldingDomainOf(std::string_view host_part);

}  // namespace trawl
