// Assign as a function of literals.
#include "jobs/select/assign.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/support/crawl/listed_candidates.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

UrlRank Rank(UrlTier tier, uint64_t hash) { return {static_cast<uint64_t>(tier) << UrlRank::kTierShift, hash}; }

Assignment AssignThese(const std::vector<HostOffer>& offers, std::vector<Candidate> candidates,
                       const AssignOptions& options) {
  ListedCandidates source(std::move(candidates));
  auto assignment = Assign(offers, &source, options);
  EXPECT_OK(assignment);
  return assignment.ok() ? *assignment : Assignment();
}

// `pages` candidates of a host, all medium.
std::vector<Candidate> Pages(uint32_t host, int pages) {
  std::vector<Candidate> out;
  for (int i = 0; i < pages; ++i) out.push_back({Rank(UrlTier::kMedium, host + 1000 * static_cast<uint64_t>(i)), host});
  return out;
}
std::vector<Candidate> operator+(std::vector<Candidate> a, const std::vector<Candidate>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(Assign, ADomainTakesNoMoreThanIsLeftOfItsPages) {
  const std::vector<HostOffer> offers = {{.domain = 1, .page_ms = 1, .domain_pages = 3},
                                         {.domain = 1, .page_ms = 1, .domain_pages = 3},
                                         {.domain = 2, .page_ms = 1}};
  const Assignment assignment = AssignThese(offers, Pages(0, 5) + Pages(1, 5) + Pages(2, 5), {});
  EXPECT_EQ(assignment.hosts[0].pages + assignment.hosts[1].pages, 3);
  EXPECT_EQ(assignment.hosts[2].pages, 5);
  EXPECT_TRUE(assignment.more);
}

// 3,000 hosts with a page each; the slowest takes `longest_ms`.
int ListsOf(int64_t longest_ms, int64_t far_from_ms) {
  std::vector<HostOffer> offers;
  std::vector<Candidate> candidates;
  for (uint32_t host = 0; host < 3000; ++host) {
    offers.push_back({.domain = host, .page_ms = host == 0 ? longest_ms : 1000});
    candidates.push_back({Rank(UrlTier::kMedium, host), host});
  }
  const AssignOptions options = {.lists = 20, .urls_a_list = 100, .far_from_ms = far_from_ms};
  return static_cast<int>(AssignThese(offers, candidates, options).lists.size());
}

TEST(Assign, ARoundThatGoesToAClusterHasFewerLists) {
  EXPECT_EQ(ListsOf(60'000, 60'000), 20) << "as long as the limit: it stays here";
  EXPECT_EQ(ListsOf(60'001, 60'000), 1) << "longer: one task asks for 4,000 pages meanwhile";
  EXPECT_EQ(ListsOf(1'000, 0), 2) << "all rounds go there: 2,000 URLs are worth a container";
  EXPECT_EQ(ListsOf(3'600'000, INT64_MAX), 20) << "there is no cluster";
}

TEST(Assign, AListOnAClusterHasWhatOneTaskAsksForMeanwhile) {
  EXPECT_EQ(UrlsAFarList(0), 2'000);
  EXPECT_EQ(UrlsAFarList(60'000), 4'000);
  EXPECT_EQ(UrlsAFarList(86'400'000), 10'000);
}

TEST(Assign, TakesTheBestAndSaysThatMoreIsDue) {
  const std::vector<Candidate> candidates = {{Rank(UrlTier::kLow, 1), 0},
                                             {Rank(UrlTier::kHigh, 9), 1},
                                             {Rank(UrlTier::kMedium, 5), 0},
                                             {Rank(UrlTier::kHigh, 3), 0}};
  const std::vector<HostOffer> offers = {{.domain = 1, .page_ms = 1000}, {.domain = 2, .page_ms = 1000}};
  const Assignment two = AssignThese(offers, candidates, {.top_n = 2});
  EXPECT_EQ(two.urls, 2);
  EXPECT_EQ(two.tiers, (std::array<int64_t, kTiers>{2, 0, 0}));
  EXPECT_TRUE(two.more);
  EXPECT_EQ(two.hosts[0].pages, 1);
  EXPECT_EQ(two.hosts[0].last, Rank(UrlTier::kHigh, 3));
  const Assignment all = AssignThese(offers, candidates, {});
  EXPECT_EQ(all.urls, 4);
  EXPECT_EQ(all.tiers, (std::array<int64_t, kTiers>{2, 1, 1}));
  EXPECT_FALSE(all.more);
}

TEST(Assign, DomainsLimitCountsOverItsHosts) {
  const std::vector<HostOffer> offers = {
      {.domain = 7, .page_ms = 1}, {.domain = 7, .page_ms = 1}, {.domain = 8, .page_ms = 1}};
  const Assignment assignment =
      AssignThese(offers, Pages(0, 5) + Pages(1, 5) + Pages(2, 5), {.per_domain = 3, .lists = 3});
  EXPECT_EQ(assignment.hosts[0].pages + assignment.hosts[1].pages, 3);
  EXPECT_EQ(assignment.hosts[2].pages, 3);
  EXPECT_TRUE(assignment.more);
  EXPECT_EQ(assignment.lists.size(), 2U) << "never more lists than domains";
  EXPECT_EQ(assignment.hosts[0].list, assignment.hosts[1].list) << "a domain is on one list";
}

// One domain has the best of all, and more than a round takes.
TEST(Assign, ADomainTakesItsTurnAndTheRestComesLast) {
  EXPECT_EQ(DomainTurnOf(1000, 500'000), 500);
  EXPECT_EQ(DomainTurnOf(1, 500'000), 1);
  EXPECT_EQ(DomainTurnOf(1000, 1'000'000), 0);
  EXPECT_EQ(DomainTurnOf(0, 500'000), 0);
  std::vector<Candidate> candidates = Pages(0, 6) + Pages(1, 6);
  for (Candidate& candidate : candidates) candidate.rank.high = 0;  // of tier high
  candidates = candidates + Pages(2, 3);
  const std::vector<HostOffer> offers = {
      {.domain = 1, .page_ms = 1}, {.domain = 1, .page_ms = 1}, {.domain = 2, .page_ms = 1}};
  struct Case {
    AssignOptions options;
    std::array<int64_t, 3> pages;  // by host
    bool more;
  };
  const Case cases[] = {{{.top_n = 8}, {4, 4, 0}, true},
                        {{.top_n = 8, .domain_turn = 4}, {3, 2, 3}, true},
                        {{.top_n = 8, .domain_turn = 7}, {4, 3, 1}, true},
                        {{.top_n = 15, .domain_turn = 1}, {6, 6, 3}, false},
                        {{.top_n = 14, .domain_turn = 1}, {6, 6, 2}, true},
                        {{.top_n = 100, .per_domain = 5, .domain_turn = 2}, {3, 2, 3}, true}};
  for (const Case& one : cases) {
    const Assignment assignment = AssignThese(offers, candidates, one.options);
    for (size_t host = 0; host < offers.size(); ++host) {
      EXPECT_EQ(assignment.hosts[host].pages, one.pages[host]) << one.options.domain_turn << " host " << host;
    }
    EXPECT_EQ(assignment.more, one.more) << one.options.domain_turn;
  }
}

TEST(Assign, PolitenessByDomainSharesItsTime) {
  const std::vector<HostOffer> offers = {
      {.domain = 7, .page_ms = 400}, {.domain = 7, .page_ms = 400}, {.domain = 8, .page_ms = 5000}};
  const AssignOptions options = {.by_domain = true, .time_limit_ms = 1000};
  const Assignment assignment = AssignThese(offers, Pages(0, 3) + Pages(1, 3) + Pages(2, 3), options);
  EXPECT_EQ(assignment.hosts[0].pages + assignment.hosts[1].pages, 2);
  EXPECT_EQ(assignment.hosts[2].pages, 1) << "at least one";
}

TEST(Assign, HotDomainsGetListsToThemselves) {
  // One takes as long as all the others together.
  std::vector<HostOffer> offers = {{.domain = 1, .page_ms = 1000}};
  std::vector<Candidate> candidates = Pages(0, 100);
  for (uint32_t host = 1; host <= 50; ++host) {
    offers.push_back({.domain = 100 + host, .page_ms = 1000});
    candidates = candidates + Pages(host, 2);
  }
  const Assignment assignment = AssignThese(offers, candidates, {.lists = 2});
  ASSERT_EQ(assignment.lists.size(), 2U);
  EXPECT_EQ(assignment.lists[0].domains, 1);
  EXPECT_EQ(assignment.lists[0].urls, 100);
  EXPECT_EQ(assignment.lists[0].expected_ms, 100'000);
  EXPECT_EQ(assignment.lists[1].domains, 50);
  EXPECT_EQ(assignment.lists[1].expected_ms, 2'000);
}

TEST(Assign, SlowHostsAreApart) {
  std::vector<HostOffer> offers = {{.domain = 1, .page_ms = 10, .slow = true}, {.domain = 1, .page_ms = 10}};
  std::vector<Candidate> candidates = Pages(0, 1) + Pages(1, 1);
  for (uint32_t host = 2; host < 8; ++host) {
    offers.push_back({.domain = host, .page_ms = 1000});
    candidates = candidates + Pages(host, 1);
  }
  struct Case {
    AssignOptions options;
    std::vector<int64_t> domains;  // by list
  };
  const Case cases[] = {{{.lists = 1}, {7}},
                        {{.lists = 2}, {6, 1}},
                        {{.lists = 1, .slow_on_top = true}, {6, 1}},
                        {{.lists = 2, .slow_on_top = true}, {3, 3, 1}},
                        {{.lists = 4}, {2, 2, 2, 1}}};
  for (const Case& one : cases) {
    const Assignment assignment = AssignThese(offers, candidates, one.options);
    std::vector<int64_t> domains;
    for (const ListSummary& list : assignment.lists) domains.push_back(list.domains);
    EXPECT_EQ(domains, one.domains);
    EXPECT_EQ(assignment.lists.back().slow, one.domains.size() > 1);
    EXPECT_EQ(assignment.hosts[0].list, assignment.hosts[1].list);
  }
}

TEST(Assign, WaitingCountsAsTime) {
  const std::vector<HostOffer> offers = {{.domain = 1, .page_ms = 100, .wait_ms = 5000}};
  EXPECT_EQ(AssignThese(offers, Pages(0, 3), {}).lists[0].expected_ms, 5300);
}

TEST(Assign, NothingIsNoList) {
  const Assignment assignment = AssignThese({}, {}, {.lists = 4});
  EXPECT_EQ(assignment.urls, 0);
  EXPECT_TRUE(assignment.lists.empty());
}

// The numbers of hosts, which follow from how the first job was cut, decide nothing.
TEST(Assign, OrderOfHostsDoesNotMatter) {
  std::mt19937_64 random(17);
  std::vector<HostOffer> offers;
  std::vector<Candidate> candidates;
  for (uint32_t host = 0; host < 200; ++host) {
    offers.push_back(
        {.domain = random() % 120, .page_ms = static_cast<int64_t>(random() % 3000 + 1), .slow = random() % 30 == 0});
    for (size_t i = random() % 20; i > 0; --i)
      candidates.push_back({Rank(static_cast<UrlTier>(random() % 3), random()), host});
  }
  const AssignOptions options = {.top_n = 900, .per_domain = 14, .domain_turn = 7, .lists = 5};
  const Assignment expected = AssignThese(offers, candidates, options);
  std::vector<uint32_t> place(offers.size());
  std::iota(place.begin(), place.end(), 0);
  for (int times = 0; times < 5; ++times) {
    std::shuffle(place.begin(), place.end(), random);
    std::vector<HostOffer> moved(offers.size());
    for (size_t i = 0; i < offers.size(); ++i) moved[place[i]] = offers[i];
    std::vector<Candidate> renamed = candidates;
    for (Candidate& candidate : renamed) candidate.host = place[candidate.host];
    const Assignment assignment = AssignThese(moved, renamed, options);
    ASSERT_EQ(assignment.urls, expected.urls);
    for (size_t i = 0; i < offers.size(); ++i) {
      ASSERT_EQ(assignment.hosts[place[i]].list, expected.hosts[i].list);
      ASSERT_EQ(assignment.hosts[place[i]].last, expected.hosts[i].last);
    }
  }
}

}  // namespace
}  // namespace trawl
