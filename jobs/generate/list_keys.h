// Rows of a fetch list on their way through the shuffle: how the sender spells keys and the writer reads them. Pure.
//
//   key    domain 0 host 0 part order      so that a list is sorted by domain, then by host
//   part   the host's row, then its robots rows, then its URLs by rank
//   value  the row's codec bytes; a host's row has its pace before them
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace trawl {

enum class ListPart : char { kHost = 1, kRobots = 2, kUrl = 3 };

struct ListKey {
  std::string_view domain;
  ListPart part = ListPart::kHost;
};

// The beginning of the keys of a host's rows.
inline std::string ListKeyPrefix(std::string_view domain, std::string_view host) {
  std::string prefix(domain);
  prefix.push_back('\0');
  prefix.append(host).push_back('\0');
  return prefix;
}

inline void WriteListKey(std::string_view prefix, ListPart part, std::string_view order, std::string* key) {
  key->assign(prefix).push_back(static_cast<char>(part));
  key->append(order);
}

// False where `key` is malformed.
inline bool ReadListKey(std::string_view key, ListKey* out) {
  const size_t domain_end = key.find('\0');
  const size_t host_end = domain_end == std::string_view::npos ? domain_end : key.find('\0', domain_end + 1);
  if (host_end == std::string_view::npos || host_end + 1 >= key.size()) return false;
  *out = {key.substr(0, domain_end), static_cast<ListPart>(key[host_end + 1])};
  return out->part >= ListPart::kHost && out->part <= ListPart::kUrl;
}

// How fast a host can be fetched.
struct HostPace {
  int64_t page_ms = 0;  // a page's delay and answer
  int64_t wait_ms = 0;  // before the first page
};

}  // namespace trawl
