// Which due URL comes first: a total order over all of them. Pure; any thread.
//
//   tier    the one that the operator chose for the URL; else
//           high: seeds, home pages, and a score from 0.7 on
//           low: further pages of a listing, archives, and a score under 0.3
//           medium: the others
//   score   higher first
//   hash    of the key, so that among equals neither a host nor an early letter is preferred
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "formats/rows/url_row.h"

namespace trawl {

enum class UrlTier : int8_t { kHigh = 0, kMedium = 1, kLow = 2 };
inline constexpr int kTiers = 3;
// "high"
const char* NameOf(UrlTier tier);

struct UrlRank {
  uint64_t high = 0;  // tier and score; smaller is better
  uint64_t low = 0;   // the key's hash
  auto operator<=>(const UrlRank&) const = default;

  UrlTier tier() const { return static_cast<UrlTier>(high >> 32); }
  // 16 bytes that sort as the rank does.
  void AppendTo(std::string* bytes) const;
};

// What the rank of a URL depends on, besides its key.
struct RankFacts {
  bool is_seed = false;
  int32_t score = 0;
  TierChoice tier = TierChoice::kByRule;
};
UrlTier TierOf(std::string_view key, const RankFacts& facts);
UrlRank RankOf(std::string_view key, const RankFacts& facts);

// Whether a path and query ("/blog/page/2", "/list?page=3") is a further page of a listing, or (part of) an archive:
// "/archive/…", and a path that ends in a date ("/2019/05/").
bool IsFurtherPage(std::string_view path_and_query);
bool IsArchive(std::string_view path_and_query);

}  // namespace trawl
