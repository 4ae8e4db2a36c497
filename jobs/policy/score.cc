#include "jobs/policy/score.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "formats/url/key.h"
#include "jobs/policy/sitemap_options.h"

namespace trawl {

namespace {

constexpr int64_t kADepth = 100'000;
constexpr int64_t kASegment = 20'000;
constexpr int64_t kFreeSegments = 3;
constexpr int64_t kMostSegments = 5;  // that count
constexpr int64_t kWeight = 300'000;  // of authority, and of linking hosts

// Path segments after those that are free: "/a/b/c/d" has one.
int64_t DeepSegments(std::string_view key) {
  std::string_view path = key.substr(OriginPartOfKey(key).size());
  path = path.substr(0, path.find('?'));
  const int64_t slashes = std::count(path.begin(), path.end(), '/') - (path.ends_with('/') ? 1 : 0);
  return std::clamp<int64_t>(slashes - kFreeSegments, 0, kMostSegments);
}

int64_t Weighted(int64_t value) { return kWeight * value / kScoreOne; }

}  // namespace

int32_t ScoreOf(const ScoreFacts& facts) {
  int64_t score = facts.base - kADepth * std::max(facts.depth, 0) - kASegment * DeepSegments(facts.key);
  score += Weighted(facts.authority) + Weighted(AuthorityOf(facts.linking_hosts));
  return static_cast<int32_t>(std::clamp<int64_t>(score, 0, kScoreOne));
}

int32_t ScoreByRule(const UrlRow& row, const ScoreStanding& standing) {
  if (standing.suspected_trap && row.state == UrlState::kUnfetched) return 0;
  return ScoreOf({.base = standing.believes_priorities ? BaseOfPriority(row.stated_priority) : kLinkScore,
                  .depth = row.depth,
                  .authority = standing.links.authority,
                  .linking_hosts = standing.links.linking_hosts,
                  .key = row.key});
}

int32_t AuthorityOf(int64_t linking_hosts) {
  constexpr int kDoublings = std::bit_width(static_cast<uint64_t>(kFullAuthorityHosts));
  const auto hosts = static_cast<uint64_t>(std::clamp<int64_t>(linking_hosts, 0, kFullAuthorityHosts));
  return static_cast<int32_t>(int64_t{kScoreOne} * std::bit_width(hosts) / kDoublings);
}

int32_t AuthorityOfRank(double rank, int64_t hosts) {
  constexpr double kDoublings = 14;
  const double share = std::log2(1 + std::max(rank, 0.0) * static_cast<double>(hosts)) / kDoublings;
  return static_cast<int32_t>(std::min(share, 1.0) * kScoreOne);
}

}  // namespace trawl
