// The memory of DnsClient: answers until they expire, at most a given number of them. One thread.
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>

#include "runtime/net/dns.h"

namespace trawl {

class DnsCache {
 public:
  explicit DnsCache(size_t max_entries) : max_entries_(max_entries) {}

  // Returns null where nothing is known, or no longer. The pointer is valid until the next call.
  const DnsAnswer* Find(const std::string& host, int64_t now_ms);
  // Returns true when an entry had to go: the one not looked at for the longest time.
  bool Put(const std::string& host, DnsAnswer answer, int64_t expires_ms);
  // Moves `address` after the other addresses of `host` if it is the first of them.
  void Demote(const std::string& host, const IpAddress& address);

  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    DnsAnswer answer;
    int64_t expires_ms;
    std::list<std::string>::iterator place;
  };
  const size_t max_entries_;
  std::unordered_map<std::string, Entry> entries_;
  // The most recently used name is at the front.
  std::list<std::string> order_;
};

}  // namespace trawl
