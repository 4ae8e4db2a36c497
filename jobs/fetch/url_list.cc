#include "jobs/fetch/url_list.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "formats/digests/digest.h"

namespace trawl {

UrlNumber FetchList::AddListed(const UrlRow& row) {
  EncodeRow(row, &bytes_);
  const auto size = static_cast<uint32_t>(bytes_.size());
  if (chunks_.empty() || chunks_.back().size() + sizeof size + bytes_.size() > kChunkBytes) {
    chunks_.emplace_back();
    chunks_.back().reserve(std::max(kChunkBytes, sizeof size + bytes_.size()));
  }
  std::string& chunk = chunks_.back();
  const auto number = static_cast<UrlNumber>(offsets_.size());
  offsets_.push_back(uint64_t{chunks_.size() - 1} << 32 | chunk.size());
  chunk.append(reinterpret_cast<const char*>(&size), sizeof size);
  chunk.append(bytes_);
  places_.push_back({Hash64(row.key), number});
  progress_.emplace_back();
  return number;
}

void FetchList::Seal() {
  std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) { return a.hash < b.hash; });
}

UrlNumber FetchList::AddHop(HopUrl hop) {
  const auto number = static_cast<UrlNumber>(progress_.size());
  hop_by_hash_[Hash64(hop.key)] = number;
  hops_.push_back(std::make_unique<HopUrl>(std::move(hop)));
  progress_.emplace_back();
  return number;
}

std::optional<UrlNumber> FetchList::Find(std::string_view key) const {
  const uint64_t hash = Hash64(key);
  const auto place = std::lower_bound(places_.begin(), places_.end(), hash,
                                      [](const Place& a, uint64_t wanted) { return a.hash < wanted; });
  if (place != places_.end() && place->hash == hash) return place->number;
  const auto hop = hop_by_hash_.find(hash);
  if (hop != hop_by_hash_.end()) return hop->second;
  return std::nullopt;
}

std::string_view FetchList::RowBytes(UrlNumber number) const {
  const uint64_t offset = offsets_[number];
  const char* const begin = chunks_[offset >> 32].data() + (offset & UINT32_MAX);
  uint32_t size = 0;
  std::memcpy(&size, begin, sizeof size);
  return {begin + sizeof size, size};
}

}  // namespace trawl
