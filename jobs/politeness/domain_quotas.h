// The pages that the registrable domains of a list may still have, counted over all their hosts while the list is fetched.
// One thread.
//
// In a list each host's row has the record of its domain: what had been counted before the segment, and the limits in
// force. The rows that earlier attempts wrote have the pages that the segment has had of each host since.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/rows/host_row.h"
#include "jobs/politeness/numbers.h"
#include "jobs/politeness/quota.h"

namespace trawl {

class DomainQuotas {
 public:
  // `rows`, by key, are those of the list's hosts and of others that earlier attempts have met, the newest of each.
  explicit DomainQuotas(const std::unordered_map<std::string, HostRow>& rows);

  // Hosts come in the order of their numbers. Gives the row the delay of its domain where it has none of its own.
  void AddHost(HostNumber host, HostRow* row);

  // A request for a page of the host is sent; it is answered, or came to nothing.
  void Begin(HostNumber host);
  void End(HostNumber host, int64_t ended_ms);
  // Whether its domain has had its pages, with those that are being asked for.
  bool IsFull(HostNumber host, int64_t now_ms) const;

 private:
  struct Domain {
    DomainRecord record;
    int64_t in_flight = 0;
  };
  Domain* Find(std::string_view host_key);

  std::vector<Domain> domains_;  // those with limits
  std::unordered_map<std::string, uint32_t> number_of_;
  std::vector<int32_t> domain_of_;  // by host; -1: a domain without limits
};

}  // namespace trawl
