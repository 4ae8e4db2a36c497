// The score of a page, before it is fetched: how much it is worth to the crawl. Pure; any thread.
//
//   score = base - 0.1 × depth + 0.3 × authority of its host, within 0 and 1
//
// The base of a link is 0.5; a seed keeps the score that it was given. All numbers are millionths (kScoreOne is 1).
#pragma once

#include <cstdint>

namespace trawl {

inline constexpr int32_t kLinkScore = 500'000;
inline constexpr int32_t kScoreADepth = 100'000;
inline constexpr int32_t kAuthorityWeight = 300'000;

int32_t ScoreOf(int32_t base, int32_t depth, int32_t authority);

// The authority of a host, 0 to kScoreOne, by the number of hosts that link to it (HostRow::linking_hosts). It grows by
// one fourteenth with each doubling: 0 for no host, 0.07 for 1, 0.5 for 100, 1 for 8,192 and more.
int32_t AuthorityOf(int64_t linking_hosts);
inline constexpr int64_t kFullAuthorityHosts = 8192;

}  // namespace trawl
