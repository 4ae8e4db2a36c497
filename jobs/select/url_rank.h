// Which due URL comes first: a total order over all of them. Pure; any thread.
//
// The URL with the smaller *turn* comes first. A turn is a time: when the URL came due, and a lag that is the longer the
// less the URL matters, but always shorter than --generate.aging (A, 7 d):
//
//   tier   the one that the operator chose for the URL; else
//          high    seeds, home pages, and a score from 0.7 on             lag from 0
//          medium  the others                                             lag from A / 3
//          low     further pages of a listing, archives, a score < 0.3,   lag from 2 A / 3
//                  all of a suspected trap but its seeds, and so of a
//                  pattern that yields little (jobs/select/host_patterns.h)
//   score  1 adds nothing, 0 adds A / 6. What a sitemap says, the host's rank, inlinks, depth and the form of the URL are
//          in the score already (jobs/policy/score.h)
//   promise  where the URL has an interval, for it was fetched before, the lag is at most interval² / 14 d: 100 min for a
//          daily page, 15 h for one of 3 days, half of the interval for a weekly one. So those that the crawl promised to
//          look at soon come before those that can wait, and before new links
//
// Of equal turns the better tier comes first, then the better score, then the smaller hash of the key, so that among
// equals neither a host nor an early letter is preferred. URLs that came due together are thus in the order of tier, then
// score, except where a promise is nearer.
//
// No tier starves. Let a URL that came due at time a, with lag x, be overtaken by one that came due at time b, with lag y.
// Then b + y <= a + x, so b - a <= x - y <= x < A: it came due less than A later. That holds for every x that the URL may
// get while it waits, since links change its score, but never when it came due. A turn is made of the row and of what the
// tables know of its host and pattern, so neither the cut of a job nor its runner changes the order. URLs of a pattern that
// has a budget may rank by a later time than they came due (jobs/select/host_patterns.h).
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "formats/rows/times.h"
#include "formats/rows/url_row.h"

namespace trawl {

enum class UrlTier : int8_t { kHigh = 0, kMedium = 1, kLow = 2 };
inline constexpr int kTiers = 3;
// "high"
const char* NameOf(UrlTier tier);

struct UrlRank {
  uint64_t high = 0;  // turn (42 bits), tier (2) and score (20); smaller is better
  uint64_t low = 0;   // the key's hash
  auto operator<=>(const UrlRank&) const = default;

  static constexpr int kTurnShift = 22;
  static constexpr int kTierShift = 20;
  TimeMs turn_ms() const { return static_cast<TimeMs>(high >> kTurnShift); }
  UrlTier tier() const { return static_cast<UrlTier>(high >> kTierShift & 3); }
  // 16 bytes that sort as the rank does.
  void AppendTo(std::string* bytes) const;
};

// What the rank of a URL depends on, besides its key.
struct RankFacts {
  bool is_seed = false;
  int32_t score = 0;
  TierChoice tier = TierChoice::kByRule;
  TimeMs due_ms = 0;
  int64_t interval_ms = 0;  // 0: it has none yet
  bool is_trap = false;     // its host is a suspected trap, or its pattern yields little
};
RankFacts RankFactsOf(const UrlRow& row);
UrlTier TierOf(std::string_view key, const RankFacts& facts);
// `aging_ms` as --generate.aging. 0: URLs come in the order in which they came due.
UrlRank RankOf(std::string_view key, const RankFacts& facts, int64_t aging_ms);

// "tier low, score 0.2: its turn comes 6 d after it came due (--generate.aging 7 d)": the rank in words.
std::string RankText(std::string_view key, const RankFacts& facts, int64_t aging_ms);

// Whether a path and query ("/blog/page/2", "/list?page=3") is a further page of a listing, or (part of) an archive:
// "/archive/…", and a path that ends in a date ("/2019/05/").
bool IsFurtherPage(std::string_view path_and_query);
bool IsArchive(std::string_view path_and_query);

}  // namespace trawl
