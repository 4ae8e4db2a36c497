// The score of a URL: how much it is worth to the crawl. Pure; any thread.
//
//   score = base - 0.1 × depth - 0.02 × path segments after the third (five at most)
//           + 0.3 × authority of its host + 0.3 × AuthorityOf(other hosts that link to it)
//
// within 0 and 1. The base is 0.5, or what the priority of a sitemap makes of it. A seed keeps the score that it was given,
// and a page the one that the operator set. All numbers are millionths (kScoreOne is 1).
//
// What links say beyond the depth is what trawl graph found last, never what rounds counted: so the order of rounds, and
// which pages were read again when, change no score. Before the first graph a page at depth 1 has 0.4. No page whose host
// has no authority, or to which no other host links, has more than 0.7 at depth 1; one on a host with the authority 0.79, to
// which 1,024 hosts link, has 0.87.
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/rows/url_row.h"

namespace trawl {

inline constexpr int32_t kLinkScore = 500'000;

struct ScoreFacts {
  int32_t base = kLinkScore;
  int32_t depth = 0;
  int32_t authority = 0;      // of its host
  int64_t linking_hosts = 0;  // other hosts that link to it
  std::string_view key;       // for the form of its path
};
int32_t ScoreOf(const ScoreFacts& facts);

// What trawl graph found last of the links to a page (jobs/policy/score_standings.h looks it up).
struct LinkStanding {
  int32_t authority = 0;  // of its host, in millionths
  int64_t linking_hosts = 0;
  bool operator==(const LinkStanding&) const = default;
};

// What the host of a URL makes of its score.
struct ScoreStanding {
  LinkStanding links;
  bool suspected_trap = false;
  bool believes_priorities = true;  // of its sitemaps; and they count at all
};
// The score that a row has by these rules, if it is no seed and the operator did not set its score. What is not fetched yet
// of a suspected trap has 0.
int32_t ScoreByRule(const UrlRow& row, const ScoreStanding& standing);
inline bool HasScoreByRule(const UrlRow& row) { return !row.is_seed && !row.fixed_score; }

// A number of hosts as a share of one: it grows by one fourteenth with each doubling. 0 for no host, 0.07 for 1, 0.5 for
// 100, 1 for 8,192 and more.
int32_t AuthorityOf(int64_t linking_hosts);
inline constexpr int64_t kFullAuthorityHosts = 8192;

// The authority of a host by its PageRank among so many hosts (the table ranks). It grows by one fourteenth with each
// doubling of 1 + rank × hosts: 0.07 for a host of the average rank, 0.5 for 127 times as much, 1 for 16,383 times and
// more.
int32_t AuthorityOfRank(double rank, int64_t hosts);

}  // namespace trawl
