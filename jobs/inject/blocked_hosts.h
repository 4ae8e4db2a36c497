// The hosts and registrable domains that the operator has blocked, for inject to say that a seed waits there. One thread.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "runtime/store/store.h"

namespace trawl {

class BlockedHosts {
 public:
  // Reads three columns of the hosts table.
  static arrow::Result<BlockedHosts> Read(Store* store, const Manifest& snapshot);

  // What a seed of that host waits for: "a.com is blocked by the operator, so its URLs wait until trawl host a.com
  // --unblock"; empty where nothing is blocked. `host_part` is that of a URL key.
  std::string HoldOf(std::string_view host_part) const;

 private:
  std::unordered_set<std::string> hosts_, domains_;  // host parts
};

}  // namespace trawl
