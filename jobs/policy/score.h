// The score of a page: how much it is worth to the crawl. Pure; any thread.
//
//   score = base - 0.1 × depth - 0.02 × path segments after the third (five at most)
//           + 0.3 × authority of its host + 0.3 × AuthorityOf(inlinks - 1)
//
// within 0 and 1. The base is 0.5, or what the priority of a sitemap makes of it. A seed keeps the score that it was given,
// and a page the one that the operator set. All numbers are millionths (kScoreOne is 1). So a page at depth 1 that only its
// own site links to has 0.4 at first, and never more than 0.7; one on a host with 1,024 linking hosts, to which 1,024 hosts
// link, has 0.87.
#pragma once

#include <cstdint>
#include <string_view>

namespace trawl {

inline constexpr int32_t kLinkScore = 500'000;

struct ScoreFacts {
  int32_t base = kLinkScore;
  int32_t depth = 0;
  int32_t authority = 0;  // of its host
  int32_t inlinks = 0;    // UrlRow::inlinks
  std::string_view key;   // for the form of its path
};
int32_t ScoreOf(const ScoreFacts& facts);

// The authority of a host, 0 to kScoreOne, by the number of hosts that link to it (HostRow::linking_hosts). It grows by
// one fourteenth with each doubling: 0 for no host, 0.07 for 1, 0.5 for 100, 1 for 8,192 and more.
int32_t AuthorityOf(int64_t linking_hosts);
inline constexpr int64_t kFullAuthorityHosts = 8192;

// The same by its PageRank among so many hosts (the table ranks), which counts instead wherever there is one. It grows by
// one fourteenth with each doubling of 1 + rank × hosts: 0.07 for a host of the average rank, 0.5 for 127 times as much, 1
// for 16,383 times and more.
int32_t AuthorityOfRank(double rank, int64_t hosts);

}  // namespace trawl
