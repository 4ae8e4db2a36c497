// PageRank and harmonic centrality of graphs whose values networkx computed, and of graphs whose values are plain.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "formats/digests/digest.h"
#include "jobs/graph/harmonic.h"
#include "jobs/graph/host_numbers.h"
#include "jobs/graph/pagerank.h"
#include "jobs/policy/score.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using Edges = std::set<std::pair<uint32_t, uint32_t>>;

class Ranks : public ::testing::Test {
 protected:
  std::unique_ptr<NumberedEdges> Make(uint32_t hosts, const Edges& edges) {
    auto made = NumberedEdges::Make(folder_.path(), hosts).ValueOrDie();
    for (const auto& [from, to] : edges) EXPECT_OK(made->Add(from, to));
    EXPECT_OK(made->Finish());
    return made;
  }
  static std::vector<uint64_t> Hashes(uint32_t hosts) {
    std::vector<uint64_t> hashes;
    for (uint32_t i = 0; i < hosts; ++i) hashes.push_back(Hash64("host " + std::to_string(i)));
    return hashes;
  }
  const TemporaryFolder folder_;
  const StopToken stop_;
};

Edges MixedEdges(uint32_t hosts, uint32_t out) {
  Edges edges;
  for (uint32_t a = 0; a < hosts; ++a) {
    for (uint32_t j = 1; j <= out; ++j) {
      if ((a * j % 3 == 0 && j == out) || a % 11 == 10) continue;
      const uint32_t b = (a * a * j + 7 * a + j * j) % hosts;
      if (b != a) edges.emplace(a, b);
    }
  }
  return edges;
}

// networkx 3.6.1: pagerank(alpha=0.85, tol=1e-16) and harmonic_centrality, of the same edges.
TEST_F(Ranks, AreThoseOfNetworkx) {
  struct Value {
    uint32_t host;
    double rank, harmonic;
  };
  struct Case {
    uint32_t hosts, out;
    int64_t edges;
    double all_harmonic;
    std::vector<Value> values;
  };
  const std::vector<Case> cases = {
      {50,
       3,
       88,
       255.7547619047619,
       {{0, 0.004004253415, 0}, {1, 0.020134430758, 9.333333333333}, {49, 0.017832437138, 10.9}}},
      {97,
       4,
       315,
       2376.883333333332,
       {{0, 0.002084827630, 0},
        {1, 0.015452606412, 33.066666666667},
        {7, 0.016614853787, 34.25},
        {48, 0.013378295262, 30.583333333333},
        {96, 0.007186518901, 26.066666666667}}},
      {300,
       2,
       441,
       1324.0103174603175,
       {{0, 0.000859087411, 0}, {1, 0.008145455959, 15.666666666667}, {299, 0.001224199560, 1}}},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.hosts);
    const auto edges = Make(one.hosts, MixedEdges(one.hosts, one.out));
    ASSERT_EQ(edges->edges(), one.edges);
    ASSERT_OK_AND_ASSIGN(const PageRanks ranks, PageRankOf(*edges, {}, stop_));
    ASSERT_OK_AND_ASSIGN(const Harmonics exact, ExactHarmonics(*edges, 2, stop_));
    for (const Value& value : one.values) {
      EXPECT_NEAR(ranks.rank[value.host], value.rank, 1e-9);
      EXPECT_NEAR(exact.value[value.host], value.harmonic, 1e-9);
    }
    EXPECT_NEAR(std::accumulate(ranks.rank.begin(), ranks.rank.end(), 0.0), 1, 1e-12);
    EXPECT_NEAR(std::accumulate(exact.value.begin(), exact.value.end(), 0.0), one.all_harmonic, 1e-9);
    EXPECT_LE(ranks.error, 1e-9);
  }
}

TEST_F(Ranks, OfAChainAreItsDistances) {
  const auto edges = Make(4, {{0, 1}, {1, 2}, {2, 3}});
  ASSERT_OK_AND_ASSIGN(const Harmonics exact, ExactHarmonics(*edges, 1, stop_));
  EXPECT_EQ(exact.value, (std::vector<double>{0, 1, 1.5, 1 + 0.5 + 1.0 / 3}));
  EXPECT_EQ(exact.steps, 3);
}

TEST_F(Ranks, OfHostsWithoutEdgesAreEqual) {
  const auto edges = Make(4, {});
  ASSERT_OK_AND_ASSIGN(const PageRanks ranks, PageRankOf(*edges, {}, stop_));
  EXPECT_EQ(ranks.rank, std::vector<double>(4, 0.25));
  const auto nothing = Make(0, {});
  EXPECT_TRUE(PageRankOf(*nothing, {}, stop_)->rank.empty());
  EXPECT_TRUE(ExactHarmonics(*nothing, 2, stop_)->value.empty());
  EXPECT_TRUE(HyperBall(*nothing, {}, 64, 2, stop_)->value.empty());
}

// More than one range of targets, blocks that end in between, and distances of several bytes between sources.
TEST_F(Ranks, ThreadsChangeNoBit) {
  constexpr uint32_t kHosts = 200'000;
  Edges edges;
  for (uint32_t i = 0; i < 150'000; ++i) {
    const uint32_t from = i % 1000 == 0 ? kHosts - 1 - i : i * 2654435761U % kHosts;
    edges.emplace(from, i % 3 == 0 ? i % 50 : (i * 7919U + 13) % kHosts);
  }
  std::erase_if(edges, [](const auto& edge) { return edge.first == edge.second; });
  const auto made = Make(kHosts, edges);
  Edges read;
  for (size_t range = 0; range < made->ranges(); ++range) {
    ASSERT_OK(made->ForEach(range, [&read](uint32_t from, uint32_t to) { read.emplace(from, to); }));
  }
  EXPECT_EQ(read, edges);
  const auto hashes = Hashes(kHosts);
  ASSERT_OK_AND_ASSIGN(const PageRanks one, PageRankOf(*made, {.threads = 1}, stop_));
  ASSERT_OK_AND_ASSIGN(const PageRanks three, PageRankOf(*made, {.threads = 3}, stop_));
  EXPECT_TRUE(one.rank == three.rank);
  ASSERT_OK_AND_ASSIGN(const Harmonics ball_one, HyperBall(*made, hashes, 16, 1, stop_));
  ASSERT_OK_AND_ASSIGN(const Harmonics ball_three, HyperBall(*made, hashes, 16, 3, stop_));
  EXPECT_TRUE(ball_one.value == ball_three.value);
  const auto small = Make(2000, MixedEdges(2000, 3));
  EXPECT_TRUE(ExactHarmonics(*small, 1, stop_)->value == ExactHarmonics(*small, 3, stop_)->value);
}

TEST_F(Ranks, HyperBallIsAsNearAsItSays) {
  constexpr uint32_t kHosts = 3000;
  const auto edges = Make(kHosts, MixedEdges(kHosts, 5));
  ASSERT_OK_AND_ASSIGN(const Harmonics exact, ExactHarmonics(*edges, 2, stop_));
  double last = 1;
  for (const int registers : {16, 64, 1024}) {
    ASSERT_OK_AND_ASSIGN(const Harmonics ball, HyperBall(*edges, Hashes(kHosts), registers, 2, stop_));
    double squares = 0;
    int hosts = 0;
    for (uint32_t i = 0; i < kHosts; ++i) {
      EXPECT_EQ(ball.value[i] == 0, exact.value[i] == 0);
      if (exact.value[i] == 0) continue;
      squares += std::pow(ball.value[i] / exact.value[i] - 1, 2);
      ++hosts;
    }
    const double error = std::sqrt(squares / hosts);
    // Hosts share most of what reaches them, so their errors go together.
    EXPECT_LT(error, 2 * ErrorOfHyperBall(registers)) << registers;
    EXPECT_LT(error, last);
    last = error;
    // A register that another host filled already may hide the last one.
    EXPECT_LE(ball.steps, exact.steps) << registers;
  }
}

TEST_F(Ranks, AStopEndsThem) {
  const auto edges = Make(100, MixedEdges(100, 3));
  const StopSource source = *StopSource::Make();
  source.Stop();
  EXPECT_FALSE(PageRankOf(*edges, {}, source.token()).ok());
  EXPECT_FALSE(ExactHarmonics(*edges, 1, source.token()).ok());
  EXPECT_FALSE(HyperBall(*edges, Hashes(100), 64, 1, source.token()).ok());
}

TEST(HostNumbers, FindsWhatWasAdded) {
  HostNumbers numbers(10);  // fewer than come
  for (int i = 0; i < 5000; ++i) numbers.Add("com,h" + std::to_string(i));
  for (int i = 0; i < 5000; ++i) EXPECT_EQ(numbers.Find("com,h" + std::to_string(i)), static_cast<uint32_t>(i));
  EXPECT_FALSE(numbers.Find("com,other"));
  EXPECT_EQ(numbers.size(), 5000u);
}

TEST(Authority, OfARankGrowsWithIt) {
  EXPECT_EQ(AuthorityOfRank(0, 1000), 0);
  EXPECT_EQ(AuthorityOfRank(0.001, 1000), 71'428) << "the average";
  EXPECT_EQ(AuthorityOfRank(0.127, 1000), 500'000);
  EXPECT_EQ(AuthorityOfRank(1, 1'000'000'000), 1'000'000);
}

}  // namespace
}  // namespace trawl
