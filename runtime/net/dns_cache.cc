#include "runtime/net/dns_cache.h"

#include <algorithm>
#include <utility>

namespace trawl {

const DnsAnswer* DnsCache::Find(const std::string& host, int64_t now_ms) {
  const auto found = entries_.find(host);
  if (found == entries_.end()) return nullptr;
  if (found->second.expires_ms <= now_ms) {
    order_.erase(found->second.place);
    entries_.erase(found);
    return nullptr;
  }
  order_.splice(order_.begin(), order_, found->second.place);
  return &found->second.answer;
}

bool DnsCache::Put(const std::string& host, DnsAnswer answer, int64_t expires_ms) {
  const auto found = entries_.find(host);
  if (found != entries_.end()) {
    found->second.answer = std::move(answer);
    found->second.expires_ms = expires_ms;
    order_.splice(order_.begin(), order_, found->second.place);
    return false;
  }
  order_.push_front(host);
  entries_.emplace(host, Entry{std::move(answer), expires_ms, order_.begin()});
  if (entries_.size() <= max_entries_) return false;
  entries_.erase(order_.back());
  order_.pop_back();
  return true;
}

void DnsCache::Demote(const std::string& host, const IpAddress& address) {
  const auto found = entries_.find(host);
  if (found == entries_.end()) return;
  std::vector<IpAddress>& addresses = found->second.answer.addresses;
  if (!addresses.empty() && addresses.front() == address) {
    std::rotate(addresses.begin(), addresses.begin() + 1, addresses.end());
  }
}

}  // namespace trawl
