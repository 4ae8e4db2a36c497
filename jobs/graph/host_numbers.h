// Numbers for hosts: each gets the next one, and is found again by its name. Only a hash of the name is kept (12 to 18 bytes
// per host), and the whole name of one that shares its hash with another. One thread adds; then any number look.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trawl {

class HostNumbers {
 public:
  // For about that many hosts.
  explicit HostNumbers(int64_t hosts);

  // REQUIRES: the name is new.
  void Add(std::string_view host);
  std::optional<uint32_t> Find(std::string_view host) const;

  uint32_t size() const { return static_cast<uint32_t>(hashes_.size()); }
  std::span<const uint64_t> hashes() const { return hashes_; }

 private:
  // The place of that hash, or the free one where it belongs.
  size_t PlaceOf(uint64_t hash) const;
  void Grow();

  std::vector<uint64_t> hashes_;  // by number
  std::vector<uint32_t> places_;  // number + 1; 0: free
  std::map<std::string, uint32_t, std::less<>> twins_;
};

}  // namespace trawl
