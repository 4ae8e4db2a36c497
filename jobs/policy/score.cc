#include "jobs/policy/score.h"

#include <algorithm>
#include <bit>

#include "formats/rows/url_row.h"

namespace trawl {

int32_t ScoreOf(int32_t base, int32_t depth, int32_t authority) {
  const int64_t score =
      int64_t{base} - int64_t{kScoreADepth} * std::max(depth, 0) + int64_t{kAuthorityWeight} * authority / kScoreOne;
  return static_cast<int32_t>(std::clamp<int64_t>(score, 0, kScoreOne));
}

int32_t AuthorityOf(int64_t linking_hosts) {
  constexpr int kDoublings = std::bit_width(static_cast<uint64_t>(kFullAuthorityHosts));
  const auto hosts = static_cast<uint64_t>(std::clamp<int64_t>(linking_hosts, 0, kFullAuthorityHosts));
  return static_cast<int32_t>(int64_t{kScoreOne} * std::bit_width(hosts) / kDoublings);
}

}  // namespace trawl
