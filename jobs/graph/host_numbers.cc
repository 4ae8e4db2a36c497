#include "jobs/graph/host_numbers.h"

#include <algorithm>
#include <bit>

#include "formats/digests/digest.h"

namespace trawl {

HostNumbers::HostNumbers(int64_t hosts) {
  const auto expected = static_cast<uint64_t>(std::max<int64_t>(hosts, 1));
  hashes_.reserve(expected);
  places_.resize(std::bit_ceil(expected + expected / 2 + 1));
}

size_t HostNumbers::PlaceOf(uint64_t hash) const {
  size_t place = hash & (places_.size() - 1);
  while (places_[place] != 0 && hashes_[places_[place] - 1] != hash) place = (place + 1) & (places_.size() - 1);
  return place;
}

void HostNumbers::Grow() {
  places_.assign(places_.size() * 2, 0);
  for (size_t i = 0; i < hashes_.size(); ++i) {
    uint32_t& number = places_[PlaceOf(hashes_[i])];
    if (number == 0) number = static_cast<uint32_t>(i + 1);
  }
}

void HostNumbers::Add(std::string_view host) {
  if (hashes_.size() * 4 >= places_.size() * 3) Grow();
  const uint64_t hash = Hash64(host);
  uint32_t& number = places_[PlaceOf(hash)];
  if (number != 0) twins_.emplace(host, size());
  hashes_.push_back(hash);
  if (number == 0) number = size();
}

std::optional<uint32_t> HostNumbers::Find(std::string_view host) const {
  const auto twin = twins_.find(host);
  if (twin != twins_.end()) return twin->second;
  const uint32_t number = places_[PlaceOf(Hash64(host))];
  return number == 0 ? std::nullopt : std::optional(number - 1);
}

}  // namespace trawl
